/**
 * `node bench/link.mjs`: what hub-link costs while the simulated voyage goes on and its clients read, beside signalk-server: share of
 * one core, peak of memory, and what each client is sent. Then what clients cost that never read. Needs Mosquitto; signalk-server is
 * installed into a temporary folder, and left out where npm does not have it. BENCH_SECONDS is the length of a run (15),
 * BENCH_ROUNDS their number (2), BENCH_CLIENTS are numbers of clients of NMEA 0183 and of Signal K (0+0,100+0,0+20,100+20), of which
 * signalk-server gets the last. BENCH_SIGNALK_SERVER is a folder that has it already.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { ownFlags } from "./own-flags.mjs";
import * as signalkServer from "./peers/signalk-server.mjs";
import { megabytesOf } from "./process.mjs";
import { freePort, median } from "./rounds.mjs";

const seconds = Number(process.env.BENCH_SECONDS ?? 15);
const counts = (process.env.BENCH_CLIENTS ?? "0+0,100+0,0+20,100+20")
  .split(",")
  .map((text) => /** @type {[number, number]} */ (text.split("+").map(Number)));
const rounds = Number(process.env.BENCH_ROUNDS ?? 2);
/** V8 compiles what is hot for about two minutes after the start. */
const WARM_UP_MS = 120_000;
const TICKS_A_SECOND = 100;

const dist = (name) => fileURLToPath(new URL(`../dist/${name}.mjs`, import.meta.url));

/** Seconds of CPU time of a process so far. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

async function connected(port) {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return socket;
    } catch {
      await delay(50);
    }
  }
}

/** Starts hub-link with the flags of its first line, as a boat does. */
function startLink({ broker, nmea0183, signalK }) {
  const outlets = ["--nmea0183", String(nmea0183), "--signalk", String(signalK)];
  const args = [...ownFlags(dist("hub-link")), dist("hub-link"), "--broker", `mqtt://127.0.0.1:${broker}`, ...outlets];
  return spawn(process.execPath, args, { stdio: "ignore" });
}

/** The bytes that the clients of a kind received, and the function that ends them. */
async function openClients(count, open) {
  const counter = { bytes: 0 };
  const closers = [];
  for (let opened = 0; opened < count; opened++) closers.push(await open((bytes) => (counter.bytes += bytes)));
  return { counter, close: () => void closers.map((close) => close()) };
}

async function lineClient(port, onBytes) {
  const socket = await connected(port);
  socket.on("data", ({ length }) => onBytes(length));
  return () => socket.destroy();
}

async function signalKClient(port, onBytes) {
  (await connected(port)).destroy();
  const socket = new WebSocket(`ws://127.0.0.1:${port}/signalk/v1/stream?subscribe=all`);
  socket.on("message", (/** @type {Buffer} */ { length }) => onBytes(length));
  await once(socket, "open");
  return () => socket.terminate();
}

/** Runs a server with so many clients: share of a core in per cent, peak in megabytes, bytes per second of each client. */
async function measure(start, [lines, streams]) {
  const [nmea0183, signalK] = [await freePort(), await freePort()];
  const server = start({ broker: brokerPort, frames: framesPort, nmea0183, signalK });
  const lineClients = await openClients(lines, (onBytes) => lineClient(nmea0183, onBytes));
  const streamClients = await openClients(streams, (onBytes) => signalKClient(signalK, onBytes));
  await delay(WARM_UP_MS);
  const [cpu, begin] = [cpuOf(server.pid), performance.now()];
  for (const { counter } of [lineClients, streamClients]) counter.bytes = 0;
  await delay(seconds * 1000);
  const elapsed = (performance.now() - begin) / 1000;
  const rateOf = ({ counter }, clients) => counter.bytes / elapsed / Math.max(1, clients);
  const measured = [
    (100 * (cpuOf(server.pid) - cpu)) / elapsed,
    megabytesOf(server.pid, "VmHWM"),
    rateOf(lineClients, lines),
    rateOf(streamClients, streams),
  ];
  for (const { close } of [lineClients, streamClients]) close();
  server.kill("SIGKILL");
  await once(server, "exit");
  return measured;
}

const STUCK = 20;
const STUCK_WARM_UP_MS = 30_000;

/**
 * Clients of the stream that want all ten times a second and never read, until the last of them is dropped: what each of them added to the
 * peak of memory at most, in megabytes.
 */
async function measureStuck() {
  const signalK = await freePort();
  const link = startLink({ broker: brokerPort, nmea0183: await freePort(), signalK });
  (await connected(signalK)).destroy();
  await delay(STUCK_WARM_UP_MS);
  const before = megabytesOf(link.pid, "VmHWM");
  const sockets = [];
  for (let opened = 0; opened < STUCK; opened++) {
    const socket = await connected(signalK);
    socket.on("error", () => {});
    const key =
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==";
    socket.write(`GET /signalk/v1/stream?subscribe=none HTTP/1.1\r\nHost: 127.0.0.1\r\n${key}\r\n\r\n`);
    await once(socket, "data");
    socket.pause();
    // A text of a length that needs two bytes, with a mask of zeros.
    const text = Buffer.from(JSON.stringify({ context: "*", subscribe: ALL }));
    socket.write(Buffer.concat([Buffer.from([0x81, 0xfe, text.length >> 8, text.length & 255, 0, 0, 0, 0]), text]));
    sockets.push(socket);
  }
  const serving = () =>
    readFileSync("/proc/net/tcp", "utf8")
      .split("\n")
      .filter((line) => isServed(line, signalK)).length;
  const begin = performance.now();
  while (serving() > 0 && performance.now() - begin < 120_000) await delay(500);
  const [left, took] = [serving(), (performance.now() - begin) / 1000];
  const peak = megabytesOf(link.pid, "VmHWM");
  for (const socket of sockets) socket.destroy();
  link.kill("SIGKILL");
  await once(link, "exit");
  console.log(
    `${STUCK} clients that never read: peak ${before.toFixed(1)} to ${peak.toFixed(1)} MB, ${((peak - before) / STUCK).toFixed(2)} MB each; ${left} left after ${took.toFixed(0)} s`,
  );
}

/** Many subscriptions to all, each of which sends it every second at most. */
const ALL = Array.from({ length: 10 }, () => ({ path: "*", policy: "fixed", period: 100 }));

/** An established connection whose local port is that of the server. */
function isServed(line, port) {
  const [, local = "", , state] = line.trim().split(/\s+/);
  return state === "01" && local.endsWith(`:${port.toString(16).toUpperCase().padStart(4, "0")}`);
}

const folder = mkdtempSync(join(tmpdir(), "hub-bench-"));
const peer = process.env.BENCH_SIGNALK_SERVER ?? folder;
const hasPeer = process.env.BENCH_SIGNALK_SERVER !== undefined || signalkServer.install(folder);
const [brokerPort, framesPort] = [await freePort(), await freePort()];
writeFileSync(join(folder, "conf"), `listener ${brokerPort} 127.0.0.1\nallow_anonymous true\nuser root\n`);
const environment = { PATH: `${process.env.PATH}:/usr/sbin` };
const broker = spawn("mosquitto", ["-c", join(folder, "conf")], { env: environment, stdio: "ignore" });
const boat = spawn(
  process.execPath,
  [dist("hub-cand"), "--simulate", "--broker", `mqtt://127.0.0.1:${brokerPort}`, "--serve-frames", String(framesPort)],
  { stdio: "ignore" },
);
/** @type {readonly (readonly [string, (ports: any) => import('node:child_process').ChildProcess, [number, number]])[]} */
const sides = [
  ...counts.map((count) => /** @type {const} */ (["hub-link", startLink, count])),
  ...(hasPeer
    ? [
        /** @type {const} */ ([
          "signalk-server",
          (ports) => signalkServer.start(peer, ports),
          counts.at(-1) ?? [100, 20],
        ]),
      ]
    : []),
];
/** @type {number[][][]} */
const results = sides.map(() => []);
for (let round = 0; round < rounds; round++)
  for (const [index, [, start, count]] of sides.entries()) results[index]?.push(await measure(start, count));
const columns = [
  "              ",
  "clients",
  "% of a core",
  "peak MB",
  "NMEA 0183, bytes/s",
  "Signal K, bytes/s a client",
];
console.log(columns.join("   "));
for (const [index, [name, , count]] of sides.entries()) {
  const middle = [0, 1, 2, 3].map((at) => median((results[index] ?? []).map((each) => each[at])));
  const cells = [name, count.join("+"), middle[0].toFixed(2), ...middle.slice(1).map((number) => number.toFixed(0))];
  console.log(cells.map((cell, at) => cell.padStart(columns[at]?.length ?? 0)).join("   "));
}
await measureStuck();
boat.kill();
broker.kill();
rmSync(folder, { recursive: true });
