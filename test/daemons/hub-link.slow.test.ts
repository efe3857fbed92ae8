/** hub-link as its users see it: a broker, a bridge with a simulated boat, and clients. */
import { type ChildProcess, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { killed } from "../support/ends-with-test.ts";
import { startHubCand, textOf } from "../support/hub-cand.ts";
import { type Mosquitto, mosquitto, until, withoutMosquitto } from "../support/mosquitto.ts";
import { freePort } from "../support/ports.ts";

const skip = withoutMosquitto !== undefined;
const children: ChildProcess[] = [];
const sockets: Socket[] = [];
let broker: Mosquitto;

beforeAll(async () => {
  if (!skip) broker = await mosquitto();
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const child of children) await killed(child);
  await broker?.stop();
});

interface Daemon {
  readonly child: ChildProcess;
  readonly log: () => string;
}

const watched = (child: ChildProcess): Daemon => {
  const log = textOf(child.stderr!);
  children.push(child);
  return { child, log };
};

const hubLink = (...args: string[]): Daemon =>
  watched(
    spawn(process.execPath, [resolve("dist/hub-link.mjs"), "--broker", `mqtt://127.0.0.1:${broker.port}`, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );

const boat = (prefix: string): Daemon =>
  watched(startHubCand(["--simulate", "--prefix", prefix, "--broker", `mqtt://127.0.0.1:${broker.port}`]));

/** Connects to a port of 127.0.0.1 and keeps the lines that come. */
async function client(port: number): Promise<{ lines: () => string[]; socket: Socket }> {
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  sockets.push(socket);
  let text = "";
  socket.on("data", (chunk: string) => {
    text += chunk;
  });
  socket.on("error", () => {});
  await once(socket, "connect");
  return { lines: () => text.split("\r\n").slice(0, -1), socket };
}

const has = (lines: readonly string[], id: string): boolean => lines.some((line) => line.slice(3, 6) === id);

test("the simulated boat reaches TCP clients and UDP; a clean stop ends with 0", { skip }, async () => {
  const [port, udp] = [await freePort(), createSocket("udp4")];
  udp.bind(0, "127.0.0.1");
  await once(udp, "listening");
  let datagrams = "";
  udp.on("message", (bytes) => {
    datagrams += bytes;
  });
  const link = hubLink("--prefix", "one", "--nmea0183", `${port}`, "--nmea0183-udp", `127.0.0.1:${udp.address().port}`);
  await until(() => link.log().includes("connected to the broker"));
  const clients = [await client(port), await client(port)];
  const simulated = boat("one");
  for (const id of ["RMC", "GGA", "HDG", "DPT", "MWV"]) {
    for (const { lines } of clients) await until(() => has(lines(), id));
    await until(() => has(datagrams.split("\r\n"), id));
  }
  const [first] = clients;
  for (const line of first!.lines()) expect(line).toMatch(/^[$!][ -~]{1,76}\*[0-9A-F]{2}$/);
  await until(() => first!.lines().some((line) => /^\$GPRMC,\d{6}\.\d\d,A,53\d\d\.\d{4},N,/.test(line)));
  udp.close();
  expect(await killed(link.child, "SIGTERM")).toBe(0);
  await killed(simulated.child);
});

test.each([
  ["nmea0183", []],
  ["nmea0183", ["--nmea0183-udp", "127.0.0.1:9"]],
  ["signalk", []],
  ["signalk", ["--nmea0183", "0"]],
])("a port of --%s that is taken ends it with 1 and a sentence, beside %j", { skip }, async (option, others) => {
  const taken = createServer();
  taken.listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const free = String(await freePort());
  const beside = others.map((each) => (each === "0" ? free : each));
  const { child, log } = hubLink(...beside, `--${option}`, `${port}`);
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(1);
  expect(log()).toContain(`--${option}: cannot listen on 127.0.0.1:${port}: EADDRINUSE code=START_FAILED`);
  taken.close();
});
