/** Every gateway, by a stand-in over the real transport: the same messages as from the same recording by file. */
import { execFileSync, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { memoize } from "../../src/core/util/memoize.ts";
import { gateways } from "../../src/formats/gateway/table.ts";
import {
  bstCanFrame,
  bstMessage,
  piecesOf,
  plugIn,
  type StandIn,
  serveIkonvert,
  serveNgt,
  serveSocketcand,
  socketcandFrame,
  tcpStandIn,
  withoutSocat,
} from "../formats/gateway/stand-ins.ts";
import { type Variant, variants } from "../formats/recording/writing.ts";
import { hubCand, runHubCand, startHubCand } from "../support/hub-cand.ts";
import { openNamespace, withoutNamespace } from "../support/namespace.ts";
import { freePort, freeUdpPort } from "../support/ports.ts";
import { VOYAGE_BEGINS, type Voyage, voyage, writeRecording } from "../support/recordings.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const VOYAGE_MS = 3000;

let folder: string;
let boat: Voyage;
beforeAll(async () => {
  folder = temporaryFolder("cand-gateways");
  boat = await voyage(VOYAGE_MS);
});

const variantOf = (format: string): Variant => variants.find((each) => each.format === format)!;

/** The lines of a recording by file. */
const replayed = memoize(async (variant: Variant): Promise<readonly string[]> => {
  const path = writeRecording(boat, variant, folder);
  const { stdout } = await runHubCand(["-i", "boat", "--replay", path, "--speed", "0", "--stdout"]);
  return stdout.split("\n");
});

/** What a line has of a message; without its times where those are of the arrival. */
const messageOf = (line: string, hasDates: boolean): string =>
  hasDates ? line : line.replace(/,"metadata":.*/, "").replace('"retain":false,', "");

/**
 * Runs hub-cand on a gateway, which repeats itself, until it is up and has just published what is expected, or many times
 * as many other messages; returns its lines, and the last messages.
 */
async function listen(url: string, expected: readonly string[], hasDates: boolean) {
  const child = startHubCand(["-i", "boat", "--source", url, "--stdout"]);
  child.stderr!.resume();
  const lines: string[] = [];
  const messages: string[] = [];
  const last = (): readonly string[] => messages.slice(-expected.length);
  let isUp = false;
  for await (const line of createInterface({ input: child.stdout! })) {
    lines.push(line);
    isUp ||= line.includes("can/boat/interface") && JSON.parse(line).payload.data.up;
    if (!line.includes("/pgn/")) continue;
    messages.push(messageOf(line, hasDates));
    const isWhole = messages.at(-1) === expected.at(-1) && isDeepStrictEqual(last(), expected);
    if (isUp && (isWhole || messages.length > 20 * expected.length)) break;
  }
  return { lines, last: last() };
}

interface Case {
  readonly scheme: string;
  /** Format of the recording that the gateway is compared with. */
  readonly format: string;
  /** Starts the gateway; gives what follows the scheme. */
  readonly start: (bytes: Uint8Array) => Promise<string>;
}

const tcp = async (serve: Parameters<typeof tcpStandIn>[0]): Promise<StandIn> => {
  const standIn = await tcpStandIn(serve);
  onTestFinished(() => standIn.close());
  return standIn;
};

/** Writes the recording to a connection, cut anywhere. */
const writePieces = (bytes: Uint8Array) => (socket: Socket) => {
  for (const piece of piecesOf(bytes)) socket.write(piece);
};

/** The same again and again: hub-cand loses a message of several frames where the machine stands still between them. */
const repeatPieces = (bytes: Uint8Array) => (socket: Socket) => {
  writePieces(bytes)(socket);
  const timer = setInterval(() => writePieces(bytes)(socket), 2000);
  socket.on("close", () => clearInterval(timer));
};

const stream = async (serve: (socket: Socket) => void): Promise<string> => `127.0.0.1:${(await tcp(serve)).port}`;
const repeating = (bytes: Uint8Array): Promise<string> => stream(repeatPieces(bytes));

/** Datagrams of some lines each, once a program listens on the port. */
const datagrams = async (bytes: Uint8Array): Promise<string> => {
  const port = await freeUdpPort();
  const socket = createSocket("udp4");
  const all = Buffer.from(bytes).toString("latin1").split("\n").filter(Boolean);
  let lines: string[] = [];
  let isListening = false;
  const timer = setInterval(() => {
    if (!isListening) return;
    if (lines.length === 0) lines = [...all];
    for (const line of lines.splice(0, 10)) socket.send(`${line}\r\n`, port, "127.0.0.1");
  }, 10);
  const ask = setInterval(() => {
    const probe = createSocket("udp4");
    probe.on("error", () => {
      isListening = true;
      clearInterval(ask);
      probe.close();
    });
    probe.bind({ port, address: "127.0.0.1", exclusive: true }, () => probe.close());
  }, 100);
  onTestFinished(() => {
    clearInterval(timer);
    clearInterval(ask);
    socket.close();
  });
  return `:${port}`;
};

const socketcand = async (): Promise<string> => {
  const { port } = await tcp((socket) =>
    serveSocketcand(socket, {
      bus: "can7",
      onRaw: repeatPieces(Buffer.from(boat.frames.map(socketcandFrame).join(""))),
    }),
  );
  return `127.0.0.1:${port}/can7`;
};

/** A serial port with a device behind it. */
const serial = async (serve: (socket: Socket) => void): Promise<string> => {
  const { port } = await tcp(serve);
  const path = join(folder, `tty${port}`);
  const device = plugIn(path, port);
  onTestFinished(() => device.unplug());
  while (!existsSync(path)) await pause(10);
  return path;
};

const ngt = async (): Promise<string> => {
  const bytes = Buffer.concat(boat.said.map(bstMessage));
  return serial((socket) => serveNgt(socket, repeatPieces(bytes)));
};

const bstFrames = async (): Promise<string> => repeating(Buffer.concat(boat.frames.map(bstCanFrame)));

const cases: readonly Case[] = [
  { scheme: "actisense", format: "Actisense N2K ASCII", start: ngt },
  { scheme: "actisense+tcp", format: "Yacht Devices RAW", start: bstFrames },
  {
    scheme: "ikonvert",
    format: "iKonvert",
    start: (bytes) => serial((socket) => serveIkonvert(socket, repeatPieces(bytes))),
  },
  { scheme: "yd-raw+tcp", format: "Yacht Devices RAW", start: repeating },
  { scheme: "yd-raw+udp", format: "Yacht Devices RAW", start: datagrams },
  { scheme: "n2k-ascii+tcp", format: "Actisense N2K ASCII", start: repeating },
  { scheme: "candump+tcp", format: "candump -L", start: repeating },
  { scheme: "socketcand", format: "candump -L", start: socketcand },
  { scheme: "canboat+tcp", format: "canboat PLAIN", start: repeating },
  {
    scheme: "canboat+tcp",
    format: "canboat FAST",
    start: (bytes) => repeating(Buffer.concat([Buffer.from("# format=FAST\n"), bytes])),
  },
];

/** Sentences are no frames; their cases are in hub-cand-nmea0183.test.ts. */
const isOfFrames = (scheme: string): boolean => !/^(nmea0183|gpsd)/.test(scheme);

test("every gateway has a case", () => {
  const schemes = gateways.flatMap(({ endpoints }) => endpoints.map(({ scheme }) => scheme)).filter(isOfFrames);
  expect(new Set(cases.map(({ scheme }) => scheme))).toEqual(new Set(schemes));
});

const serialSchemes = gateways.flatMap(({ endpoints }) =>
  endpoints.filter(({ transport }) => transport === "serial").map(({ scheme }) => scheme),
);
const possible = cases.filter(({ scheme }) => withoutSocat === undefined || !serialSchemes.includes(scheme));
if (withoutSocat !== undefined) test.skip(`serial ports (skipped: ${withoutSocat})`, () => {});

test.each(possible)("$scheme publishes what a recording in $format does", async ({ scheme, format, start }) => {
  const variant = variantOf(format);
  const { hasDates = false } = gateways.find(({ endpoints }) => endpoints.some((each) => each.scheme === scheme))!;
  const expected = (await replayed(variant))
    .filter((line) => line.includes("/pgn/"))
    .map((line) => messageOf(line, hasDates));
  expect(expected.length).toBeGreaterThan(200);
  const place = await start(variant.write(boat.frames, boat.said));
  const begin = Date.now();
  const { lines, last } = await listen(`${scheme}://${place}`, expected, hasDates);
  expect(last).toEqual(expected);
  // The others carry the time of their arrival.
  const stamps = lines.filter((line) => line.includes("/pgn/")).map((line) => JSON.parse(line).payload.metadata.rxDate);
  expect(stamps.every((stamp) => Date.parse(stamp) >= begin)).toBe(!hasDates);
  const status = lines
    .map((line) => JSON.parse(line))
    .find(({ topic, payload }) => topic === "can/boat/interface" && payload.data.up);
  expect(status.payload.data).toMatchObject({
    interface: "boat",
    gateway: { source: `${scheme}://${place}`, connections: 1 },
  });
});

/** Starts hub-cand on a gateway; gives its metrics once they have a line. */
async function metricsWith(line: RegExp, url: string, environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const port = await freePort();
  const args = ["-i", "boat", "--source", url, "--stdout", "--metrics", `${port}`];
  const child = spawn(process.execPath, [hubCand, ...args], { env: { ...process.env, ...environment } });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdout!.resume();
  child.stderr!.resume();
  for (;;) {
    const text = await fetch(`http://127.0.0.1:${port}/metrics`).then(
      (response) => response.text(),
      () => "",
    );
    if (line.test(text)) return text;
    await pause(20);
  }
}

test.skipIf(withoutSocat)("overruns of a serial port since it was opened are counted as lost", async () => {
  // Pseudo-terminals have no such counters: these are two more at every look, beginning with 1000.
  const source = join(folder, "overruns.c");
  const library = join(folder, "overruns.so");
  writeFileSync(
    source,
    `#define _GNU_SOURCE
    #include <dlfcn.h>
    #include <linux/serial.h>
    #include <stdarg.h>
    #include <sys/ioctl.h>
    int ioctl(int descriptor, unsigned long request, ...) {
      static int (*real)(int, unsigned long, ...);
      static int looks;
      va_list rest;
      va_start(rest, request);
      void *argument = va_arg(rest, void *);
      va_end(rest);
      if (request == TIOCGICOUNT) {
        struct serial_icounter_struct counts = { .overrun = 1000 + looks, .buf_overrun = looks, .frame = 77 };
        looks++;
        *(struct serial_icounter_struct *)argument = counts;
        return 0;
      }
      if (!real) real = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
      return real(descriptor, request, argument);
    }`,
  );
  execFileSync("gcc", ["-shared", "-fPIC", "-o", library, source, "-ldl"]);
  const path = await serial((socket) => serveNgt(socket, () => {}));
  const lost = /^hub_can_frames_lost_total\{interface="boat",place="kernel"\} ([1-9]\d*)$/m;
  const metrics = await metricsWith(lost, `actisense://${path}`, { LD_PRELOAD: library });
  const count = Number(lost.exec(metrics)![1]);
  expect(count % 2).toBe(0);
  expect(count).toBeLessThan(1000);
});

test("a gateway at a link-local address of IPv6 is found by its interface", {
  skip: withoutNamespace !== undefined,
}, async () => {
  const inside = await openNamespace();
  onTestFinished(() => inside.close());
  inside.run("ip", "address", "add", "fe80::1234/64", "dev", "lo", "nodad");
  const program = `require("net").createServer((socket) => socket.write("(1795248866.123456) can0 09F11203#012F3070002F307D\\n"))
    .listen(2000, "fe80::1234%lo", () => console.log("listening"))`;
  const gateway = inside.spawn(process.execPath, ["-e", program]);
  await once(gateway.stdout!, "data");
  const args = ["-i", "boat", "--source", "candump+tcp://[fe80::1234%25lo]:2000", "--stdout"];
  const child = inside.spawn(process.execPath, [hubCand, ...args]);
  child.stderr!.resume();
  for await (const line of createInterface({ input: child.stdout! })) if (line.includes("/pgn/127250")) break;
});

test("a connection whose other end has vanished is noticed before the silence is long enough, and made anew", {
  skip: withoutNamespace !== undefined,
}, async () => {
  const inside = await openNamespace();
  onTestFinished(() => inside.close());
  const program = `require("net").createServer((socket) => {
      const timer = setInterval(() => socket.write("17:33:21.107 R 09F11203 01 2F 30 70 00 2F 30 7D\\r\\n"), 100);
      socket.on("error", () => {}).on("close", () => clearInterval(timer));
    }).listen(1457, "127.0.0.1", () => console.log("listening"))`;
  const gateway = inside.spawn(process.execPath, ["-e", program]);
  await once(gateway.stdout!, "data");
  const child = inside.spawn(process.execPath, [
    hubCand,
    "-i",
    "boat",
    "--source",
    "yd-raw+tcp://127.0.0.1",
    "--stdout",
  ]);
  child.stderr!.resume();
  const states: (string | undefined)[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    const { topic, payload } = JSON.parse(line);
    if (topic !== "can/boat/interface" || payload.data.gateway.reason === "connecting") continue;
    const { up, gateway: now } = payload.data;
    if (states.length === 0) {
      // This is like a power loss of the gateway: neither side ends the connection.
      inside.run("ip", "link", "set", "lo", "down");
      states.push(now.reason);
    } else if (!up && states.length === 1) {
      states.push(now.reason);
      inside.run("ip", "link", "set", "lo", "up");
    } else if (up && states.length === 2) break;
  }
  expect(states).toEqual([undefined, expect.stringMatching(/timed out|unreachable/)]);
});

test("reports between the messages of a gateway with dates go on with its clock", async () => {
  const bytes = variantOf("candump -L").write(boat.frames, boat.said);
  const child = startHubCand([
    "-i",
    "boat",
    "--source",
    `candump+tcp://${await stream(writePieces(bytes))}`,
    "--stdout",
  ]);
  child.stderr!.resume();
  const stamps: number[] = [];
  let isHeard = false;
  for await (const line of createInterface({ input: child.stdout! })) {
    isHeard ||= line.includes("/pgn/");
    if (!isHeard || !line.includes('"topic":"can/boat/navigation"')) continue;
    stamps.push(Date.parse(JSON.parse(line).payload.metadata.rxDate));
    // The gateway has nothing more to say.
    if (stamps.at(-1)! > VOYAGE_BEGINS + VOYAGE_MS + 500) break;
  }
  expect(stamps).toEqual(stamps.toSorted((one, other) => one - other));
  expect(stamps.at(-1)).toBeLessThan(VOYAGE_BEGINS + 60_000);
});
