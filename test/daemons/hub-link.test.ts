/** hub-link as its users see it: a broker, a bridge with a simulated boat, and clients. */
import { type ChildProcess, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startHubCand } from "../support/hub-cand.ts";
import { type Mosquitto, mosquitto, subscriber, until, withoutMosquitto } from "../support/mosquitto.ts";
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
  for (const child of children) await stopped(child);
  await broker?.stop();
});

interface Daemon {
  readonly child: ChildProcess;
  readonly log: () => string;
}

const watched = (child: ChildProcess): Daemon => {
  let log = "";
  child.stderr!.on("data", (chunk: Buffer) => {
    log += chunk;
  });
  children.push(child);
  return { child, log: () => log };
};

async function stopped(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, "exit");
    child.kill(signal);
    await exit;
  }
  return child.exitCode;
}

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

/** Metadata of a message that has come just now. */
const metadataNow = () => {
  const now = Date.now();
  return { rxDate: new Date(now).toISOString(), rxTimestamp: Math.floor(now / 1000), expireAfterSec: 60 };
};

const has = (lines: readonly string[], id: string): boolean => lines.some((line) => line.slice(3, 6) === id);

test("the simulated boat reaches TCP clients and UDP; a clean stop ends with 0", {
  skip,
}, async () => {
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
  expect(await stopped(link.child, "SIGTERM")).toBe(0);
  await stopped(simulated.child);
});

test("it waits for the broker, subscribes anew after a loss, and skips what is no message", {
  skip,
}, async () => {
  const port = await freePort();
  const second = await mosquitto();
  const link = watched(
    spawn(
      process.execPath,
      [resolve("dist/hub-link.mjs"), ...["-b", `mqtt://127.0.0.1:${second.port}`, "-t", "two", "-n", `${port}`]],
      { stdio: ["ignore", "pipe", "pipe"] },
    ),
  );
  await until(() => link.log().includes("connected to the broker"));
  await second.signal("SIGKILL");
  await until(() => link.log().includes("BROKER_AWAY"));
  await second.restart();
  const { lines } = await client(port);
  const { client: publisher, close } = await subscriber(second.port);
  const data = { position: { hasFix: true, fixType: "gnss", latitude: -33.5, longitude: 151.25 } };
  await until(() => link.log().split("connected to the broker").length === 3);
  await until(() => {
    publisher.publish("two/navigation", "{");
    publisher.publish("two/navigation", JSON.stringify({ data, metadata: metadataNow() }));
    return has(lines(), "GLL");
  });
  expect(lines().find((line) => line.startsWith("$GPGLL"))).toBe("$GPGLL,3330.0000,S,15115.0000,E,,A,A*58");
  await until(() => link.log().includes("MESSAGES_SKIPPED"));
  await close();
  await second.stop();
});

test("when hub-cand has gone, by its last will, values of before are in no sentence", {
  skip,
}, async () => {
  const port = await freePort();
  const link = hubLink("--prefix", "can/three", "--nmea0183", `${port}`);
  await until(() => link.log().includes("connected to the broker"));
  const { lines } = await client(port);
  const { client: bridge, close } = await subscriber(broker.port);
  const publish = (topic: string, payload: object): unknown => bridge.publish(topic, JSON.stringify(payload));
  const rudder = (address: number): unknown =>
    publish(`can/three/device/${address}/pgn/127245`, {
      data: { pgn: 127245, instance: 0, positionDeg: address },
      metadata: metadataNow(),
    });
  await until(() => {
    rudder(1);
    return has(lines(), "RSA");
  });
  // hub-link chooses one of two rudders while it hears it; afterwards it chooses the other.
  publish("app/can-three/info", { online: false });
  for (let sent = 0; !lines().some((line) => line.startsWith("$IIRSA,2.0")); sent++) {
    rudder(2);
    expect(sent, "waits for the first to be silent").toBeLessThan(200);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await close();
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
  const [code] = (await once(child, "exit")) as [number];
  expect(code).toBe(1);
  expect(log()).toContain(`--${option}: cannot listen on 127.0.0.1:${port}: EADDRINUSE code=START_FAILED`);
  taken.close();
});
