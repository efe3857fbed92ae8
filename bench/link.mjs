/**
 * The cost of hub-link while the simulated voyage goes on and its clients read, beside signalk-server: share of one
 * core, peak of memory, bytes sent to each client; and the cost of clients that never read. Needs Mosquitto;
 * signalk-server is installed once, into the user's cache, and left out if npm does not have it. BENCH_SECONDS is the
 * length of a run (15), BENCH_CLIENTS are numbers of clients of NMEA 0183 and of Signal K (0+0,100+0,0+20,100+20), of
 * which signalk-server gets the last.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";
import * as signalkServer from "./peers/signalk-server.mjs";
import { connected, dist, end, megabytesOf, startMosquitto, startNode, usageOf } from "./process.mjs";
import { freePort } from "./rounds.mjs";

const seconds = Number(process.env.BENCH_SECONDS ?? 15);
const counts = (process.env.BENCH_CLIENTS ?? "0+0,100+0,0+20,100+20").split(",");
/** V8 compiles what is hot for about two minutes after the start. */
const WARM_UP_MS = 1000 * Number(process.env.BENCH_WARM_UP ?? 120);

export function startLink({ broker, nmea0183 = undefined, signalK }) {
  const sentences = nmea0183 === undefined ? [] : ["--nmea0183", String(nmea0183)];
  return startNode(dist("hub-link"), ["--broker", broker, "--signalk", String(signalK), ...sentences], "ignore");
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

/** Runs a server with a number of clients: share of a core, peak of memory, and bytes sent to each client. */
async function measure(start, ports, [lines, streams]) {
  const [nmea0183, signalK] = [await freePort(), await freePort()];
  const server = start({ ...ports, nmea0183, signalK });
  const lineClients = await openClients(lines, (onBytes) => lineClient(nmea0183, onBytes));
  const streamClients = await openClients(streams, (onBytes) => signalKClient(signalK, onBytes));
  await delay(WARM_UP_MS);
  const [cpu, begin] = [usageOf(server.pid).seconds, performance.now()];
  for (const { counter } of [lineClients, streamClients]) counter.bytes = 0;
  await delay(seconds * 1000);
  const elapsed = (performance.now() - begin) / 1000;
  const rateOf = ({ counter }, clients) => counter.bytes / elapsed / Math.max(1, clients);
  const figures = {
    "% of a core": (100 * (usageOf(server.pid).seconds - cpu)) / elapsed,
    "peak MB": megabytesOf(server.pid, "VmHWM"),
    "NMEA 0183, bytes/s": rateOf(lineClients, lines),
    "Signal K, bytes/s a client": rateOf(streamClients, streams),
  };
  for (const { close } of [lineClients, streamClients]) close();
  await end(server);
  return figures;
}

/** A broker, and a hub-cand with the simulated voyage, for the servers. */
async function openBoat(folder) {
  const [broker, frames] = [await startMosquitto(folder), await freePort()];
  if (broker === undefined) throw new Error("no Mosquitto installed");
  const args = ["--simulate", "--broker", broker.url, "--serve-frames", String(frames)];
  const boat = startNode(dist("hub-cand"), args, "ignore");
  return { ports: { broker: broker.url, frames }, close: () => Promise.all([end(boat), broker.close()]) };
}

export async function openLink(folder) {
  const peer = signalkServer.prepare(folder);
  const { ports, close } = await openBoat(folder);
  const inputs = counts.map((name, index) => ({
    name: `${name} clients`,
    clients: name.split("+").map(Number),
    ...(index < counts.length - 1 && { only: ["hub-link"] }),
  }));
  const startPeer = (all) => signalkServer.start(folder, all);
  return {
    inputs,
    programs: {
      "hub-link": ({ clients }) => measure(startLink, ports, clients),
      ...(peer && { "signalk-server": ({ clients }) => measure(startPeer, ports, clients) }),
    },
    close,
  };
}

/** Many subscriptions to all, each of which sends it every second at most. */
const ALL = Array.from({ length: 10 }, () => ({ path: "*", policy: "fixed", period: 100 }));

/** An established connection whose local port is that of the server. */
function isServed(line, port) {
  const [, local = "", , state] = line.trim().split(/\s+/);
  return state === "01" && local.endsWith(`:${port.toString(16).toUpperCase().padStart(4, "0")}`);
}

const STUCK_WARM_UP_MS = 30_000;

/** Clients of the stream that subscribe to all values ten times a second and never read, until the last is dropped. */
async function measureStuck(ports, count) {
  const signalK = await freePort();
  const link = startLink({ ...ports, nmea0183: await freePort(), signalK });
  (await connected(signalK)).destroy();
  await delay(STUCK_WARM_UP_MS);
  const before = megabytesOf(link.pid, "VmHWM");
  const sockets = [];
  for (let opened = 0; opened < count; opened++) {
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
  await end(link);
  return {
    "MB each": (peak - before) / count,
    "peak MB": peak,
    "before them": before,
    "not dropped": left,
    "after s": took,
  };
}

export async function openStuck(folder) {
  const { ports, close } = await openBoat(folder);
  const ask = ({ count }) => measureStuck(ports, count);
  return { inputs: [{ name: "20 that never read", count: 20 }], programs: { "hub-link": ask }, close };
}
