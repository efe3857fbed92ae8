/**
 * hub (hub-cand, hub-link and Mosquitto) and signalk-server on one full bus at once: share of one core, proportional
 * share of memory (PSS), and the delay of a value from its frame to a client of the stream. Both read the same frames of
 * Yacht Devices RAW from this process, and have the same clients, which are in a process of their own. It needs
 * Mosquitto, and signalk-server as `link.mjs` does. BENCH_SECONDS is the length of a run (20).
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";
import { FULL_BUS } from "./bus.mjs";
import { startLink } from "./link.mjs";
import { fullBus } from "./networks.mjs";
import * as signalkServer from "./peers/signalk-server.mjs";
import { awaited, bound, connected, dist, end, startMosquitto, startNode, usageOf } from "./process.mjs";
import { freePort, quantile, root } from "./rounds.mjs";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
/** V8 compiles most of what is hot within a minute. */
const WARM_UP_MS = 1000 * Number(process.env.BENCH_WARM_UP ?? 60);
const SETTLING_MS = 5000;
/** Time between two pieces that are sent. */
const STEP_MS = 5;

/** Water Depth of the voyage, which hub takes from its navigation report, and Battery Status, from the PGN. */
const watched = [
  { name: "depth", line: / \w\wF50B\w\w /, path: "environment.depth.belowTransducer", at: 1, bytes: 4, from: 3000 },
  { name: "voltage", line: / \w\wF214\w\w 00 /, path: "electrical.batteries.0.voltage", at: 1, bytes: 2, from: 1250 },
];
/** Values before one comes again. */
const VALUES = 150;

const bytesOf = (value, length) =>
  Array.from({ length }, (_, at) => ((value >> (8 * at)) & 255).toString(16).padStart(2, "0").toUpperCase()).join(" ");

/** Serves the bus to all clients; `sentAt` has the time of each watched value, in hundredths. */
async function serveBus() {
  const lines = await fullBus();
  const sentAt = watched.map(() => new Map());
  const counts = watched.map(() => 0);
  const kinds = lines.map((line) => watched.findIndex((one) => one.line.test(line)));
  /** A line with the next value in place of its own. */
  const renewed = (line, kind) => {
    const { at, bytes, from } = watched[kind];
    const value = from + (counts[kind]++ % VALUES);
    sentAt[kind].set(value, performance.now());
    // "00:00:00.000 R 09F50B23 " comes before the bytes, each of which takes three characters.
    const begin = 24 + 3 * at;
    return `${line.slice(0, begin)}${bytesOf(value, bytes)}${line.slice(begin + 3 * bytes - 1)}`;
  };
  const [port, sockets] = [await freePort(), new Set()];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  const began = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) / 1000) * FULL_BUS);
    let text = "";
    for (; sent < due; sent++) {
      const at = sent % lines.length;
      text += kinds[at] < 0 ? lines[at] : renewed(lines[at], kinds[at]);
    }
    for (const socket of sockets) socket.write(text);
  }, STEP_MS);
  const close = () => {
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port, sentAt, close };
}

/** A client that reads the watched values: their delays in milliseconds. */
async function openWatch(port, sentAt) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/signalk/v1/stream?subscribe=all`);
  const delays = watched.map(() => /** @type {number[]} */ ([]));
  const last = watched.map(() => undefined);
  socket.on("message", (/** @type {Buffer} */ data) => {
    const now = performance.now();
    const { updates = [] } = JSON.parse(data.toString());
    for (const { path, value } of updates.flatMap(({ values = [] }) => values)) {
      const kind = watched.findIndex((one) => one.path === path);
      if (kind < 0 || value === last[kind]) continue;
      last[kind] = value;
      const at = sentAt[kind].get(Math.round(value * 100));
      if (at !== undefined) delays[kind].push(now - at);
    }
  });
  await awaited(`a WebSocket at port ${port} opens`, once(socket, "open"));
  return { delays, close: () => socket.terminate() };
}

const part = (values, share) =>
  quantile(
    values.toSorted((a, b) => a - b),
    share,
  ) ?? Number.NaN;

const cpuOf = (children) => children.reduce((sum, { pid }) => sum + usageOf(pid).seconds, 0);
const megabytesOf = (children) =>
  children.reduce((sum, { pid }) => {
    const [, kilobytes] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "latin1")) ?? [];
    return sum + Number(kilobytes) / 1024;
  }, 0);

const daemonsOf = (sides) => sides.flatMap(({ children }) => children.filter(({ spawnargs }) => spawnargs));

/** Measures all sides at once with the clients of an input. */
async function measure(sides, bus, clients, { streams, pollers }) {
  const ports = sides.map(({ port }) => port);
  const ask = async (message) => {
    const answer = once(clients, "message");
    clients.send(message);
    return (await awaited("an answer of the clients", answer, { from: [clients, ...daemonsOf(sides)] }))[0];
  };
  await ask({ ports, streams: 0, pollers: 0 });
  // The client that watches is one of them, and the first.
  const watches = await Promise.all(
    sides.map(({ port }) =>
      streams > 0 ? openWatch(port, bus.sentAt) : { delays: watched.map(() => []), close() {} },
    ),
  );
  await ask({ ports, streams: Math.max(0, streams - 1), pollers });
  await delay(SETTLING_MS);
  await ask({});
  for (const { delays } of watches) for (const kind of delays) kind.length = 0;
  const before = sides.map(({ children }) => cpuOf(children));
  const began = performance.now();
  await delay(1000 * SECONDS);
  const seconds = (performance.now() - began) / 1000;
  const figures = sides.map(({ children }, side) => ({
    "% of a core": (100 * (cpuOf(children) - before[side])) / seconds,
    "MB of PSS": megabytesOf(children),
  }));
  const { open, bytes } = await ask({});
  for (const { close } of watches) close();
  return figures.map((figure, side) => ({
    ...figure,
    // A server that cannot keep up does not open all.
    WebSockets: open[ports[side]] + Math.min(streams, 1),
    "kB/s a client": bytes[ports[side]] / seconds / Math.max(1, open[ports[side]] + pollers) / 1000,
    ...Object.fromEntries(
      watched.flatMap(({ name }, kind) => [
        [`${name}, median ms`, part(watches[side].delays[kind], 0.5)],
        ["99 %".padEnd(5 + kind), part(watches[side].delays[kind], 0.99)],
      ]),
    ),
  }));
}

export async function openBeside(folder) {
  if (!signalkServer.prepare(folder))
    return console.log("\nnpm does not install signalk-server: there is nothing to compare");
  const broker = await startMosquitto(folder);
  if (broker === undefined) return console.log("\nno Mosquitto installed: there is nothing to compare");
  const bus = await serveBus();
  const [ownPort, peerPort] = [await freePort(), await freePort()];
  const source = ["-s", `yd-raw+tcp://127.0.0.1:${bus.port}`, "-c", "/nonexistent", "-b", broker.url];
  const own = [startNode(dist("hub-cand"), source, "ignore"), startLink({ broker: broker.url, signalK: ownPort })];
  const theirs = [signalkServer.start(folder, { frames: bus.port, signalK: peerPort })];
  const sides = [
    { port: ownPort, children: [...own, broker] },
    { port: peerPort, children: theirs },
  ];
  const clients = bound(fork(join(root, "bench/signalk-clients.mjs")));
  for (const { port } of sides) (await connected(port, { from: [...own, ...theirs] })).destroy();
  await delay(WARM_UP_MS);
  /** The figures of both by input and round. */
  const measured = new Map();
  const figuresOf = (side) => async (input, round) => {
    const key = `${input.name} ${round}`;
    if (!measured.has(key)) measured.set(key, measure(sides, bus, clients, input));
    return (await measured.get(key))[side];
  };
  return {
    inputs: [
      { name: "no clients", streams: 0, pollers: 0 },
      { name: "20 WebSockets", streams: 20, pollers: 0 },
      { name: "100 WebSockets", streams: 100, pollers: 0 },
      { name: "a WebSocket, 20 REST pollers", streams: 1, pollers: 20 },
    ],
    programs: { hub: figuresOf(0), "signalk-server": figuresOf(1) },
    async close() {
      await end(clients, ...own, ...theirs);
      bus.close();
      await broker.close();
    },
  };
}
