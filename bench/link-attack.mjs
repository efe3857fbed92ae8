/**
 * `node bench/link-attack.mjs`: delays of hub-link's other clients while attackers cause as much work as they can.
 * There are a thousand ships, each of which moves every second; attackers send 30 messages of 500 subscriptions with
 * patterns, and again whenever they are accepted. It prints the longest time of a request for a value and for the whole
 * tree, of a subscription until its value arrives, of a report until a client of all ships has the last of them,
 * between two messages to clients of the boat alone and between two lines of NMEA 0183, and of the end after SIGTERM.
 * Needs Mosquitto. BENCH_SECONDS is the length of a run (20), BENCH_ATTACKERS are numbers of attackers
 * (0,1,20,20@host), of which `20@host` are behind a proxy that gives them one address, BENCH_CLIENTS is a number of
 * clients of the boat alone (1), BENCH_LINK is another build of hub-link.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect as connectTcp } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { connectAsync } from "mqtt";
import { WebSocket } from "ws";
import { megabytesOf, startNode } from "./process.mjs";
import { freePort } from "./rounds.mjs";

const seconds = Number(process.env.BENCH_SECONDS ?? 20);
const cases = (process.env.BENCH_ATTACKERS ?? "0,1,20,20@host").split(",");
const clients = Number(process.env.BENCH_CLIENTS ?? 1);
const program = process.env.BENCH_LINK ?? fileURLToPath(new URL("../dist/hub-link.mjs", import.meta.url));
const SHIPS = 1000;
const MESSAGES = 30;

const metadata = () => ({ rxDate: new Date().toISOString(), rxTimestamp: Math.floor(Date.now() / 1000) });

let depth = 0;
/** A report in which the depth has changed. */
const navigation = () => ({
  data: {
    speed_course: {
      cog: 90,
      sog: 5,
      headingMagnetic: 90 + (depth % 10) / 10,
      source: { name: "1", pgn: 129026, rxTimestamp: 0, age: 0 },
    },
    wind_apparent: { speed: 10, angle: 45, source: { name: "1", pgn: 130306, rxTimestamp: 0, age: 0 } },
    depth_water: { depth: 10 + (depth++ % 10) / 10, source: { name: "1", pgn: 128267, rxTimestamp: 0, age: 0 } },
  },
  metadata: { ...metadata(), expireAfterSec: 2 },
});

/** A report in which all ships have moved. */
function ais(round) {
  const lastSeen = new Date().toISOString();
  const targets = Array.from({ length: SHIPS }, (_, index) => ({
    mmsi: 299_000_100 + index,
    class: "A",
    name: `SHIP ${index}`,
    callsign: `C${index}`,
    type: 70,
    typeName: "Cargo ship",
    position: { latitude: 53 + index / 1e4 + round / 1e6, longitude: 3 },
    sog: 5 + (round % 10) / 10,
    cog: (round + index) % 360,
    heading: (round + index) % 360,
    cpa: 1 + (round % 10) / 10,
    tcpa: 5,
    dimensions: { length: 100, beam: 20, toBow: 50, toStarboard: 10 },
    destination: "ROTTERDAM",
    lastSeen,
  }));
  return { data: { ownShip: {}, targets }, metadata: { ...metadata(), expireAfterSec: 60 } };
}

/** Patterns to be compared with each value of each ship, new ones each time. */
const hostile = (round) =>
  JSON.stringify({
    context: "*",
    unsubscribe: [{ path: "*" }],
    subscribe: Array.from({ length: 500 }, (_, index) => ({ path: `*${index}N${round}*` })),
  });

/** Keeps the longest of some times, in milliseconds. */
class Longest {
  milliseconds = 0;
  add(milliseconds) {
    this.milliseconds = Math.max(this.milliseconds, milliseconds);
  }
}

async function untilOpen(port) {
  for (;;) {
    const socket = connectTcp(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return socket;
    } catch {
      await delay(50);
    }
  }
}

/** Connects and sends its messages, and again when it is closed or refused. */
async function attack({ port, address }) {
  for (let round = 0; ; ) {
    const headers = address === undefined ? {} : { "X-Real-IP": address };
    const socket = new WebSocket(`ws://127.0.0.1:${port}/signalk/v1/stream?subscribe=none`, { headers });
    const closed = new Promise((resolve) => socket.on("error", () => {}).on("close", (code) => resolve(code)));
    socket.on("open", () => {
      for (let count = 0; count < MESSAGES; count++) socket.send(hostile(round++));
    });
    if ((await closed) === 1008) parentPort?.postMessage("closed");
    else await delay(50);
  }
}

/** Repeats a measurement, one at a time. */
async function repeat(state, longest, measure) {
  while (!state.isOver) {
    const begin = performance.now();
    // A measurement without an answer ends with the run, or with the server.
    await Promise.race([measure().catch(() => state.over), state.over]);
    longest.add(performance.now() - begin);
    await delay(100);
  }
}

const stream = (port, query) => new WebSocket(`ws://127.0.0.1:${port}/signalk/v1/stream?${query}`);

/** Clients of the boat alone, which get a message ten times a second. */
function openClients(port, gap) {
  return Array.from({ length: clients }, () => {
    const socket = stream(port, "subscribe=self");
    let last = performance.now();
    socket.on("message", () => {
      gap.add(performance.now() - last);
      last = performance.now();
    });
    return socket;
  });
}

const LAST_SHIP = `mmsi:${299_000_100 + SHIPS - 1}"`;

async function run(name) {
  const [attackers, host] = name.split("@");
  const [nmea0183, signalK] = [await freePort(), await freePort()];
  const options = ["--broker", `mqtt://127.0.0.1:${brokerPort}`, "--nmea0183", nmea0183, "--signalk", signalK];
  const link = startNode(program, options.map(String), "ignore");
  (await untilOpen(signalK)).destroy();
  const publisher = await connectAsync(`mqtt://127.0.0.1:${brokerPort}`);
  let round = 0;
  /** Time of the first report that the client of all ships has not received completely. */
  let reported;
  const publish = (topic, message) => publisher.publish(`can/can0/${topic}`, JSON.stringify(message));
  const timers = [
    setInterval(() => publish("navigation", navigation()), 100),
    setInterval(() => {
      const report = ais(round++);
      reported ??= performance.now();
      publish("ais", report);
    }, 1000),
  ];
  const [value, tree, subscription, change, gap, lineGap] = Array.from({ length: 6 }, () => new Longest());
  const all = stream(signalK, "subscribe=all");
  all.on("message", (text) => {
    if (reported === undefined || !String(text).includes(LAST_SHIP)) return;
    change.add(performance.now() - reported);
    reported = undefined;
  });
  const listeners = [all, ...openClients(signalK, gap)];
  await delay(5000);
  for (const longest of [change, gap]) longest.milliseconds = 0;
  const { promise: over, resolve: end } = Promise.withResolvers?.() ?? resolvers();
  const state = { isOver: false, over };
  const lines = await untilOpen(nmea0183);
  let last = performance.now();
  lines.on("data", () => {
    lineGap.add(performance.now() - last);
    last = performance.now();
  });
  const api = `http://127.0.0.1:${signalK}/signalk/v1/api/`;
  const subscriber = stream(signalK, "subscribe=none");
  await once(subscriber, "message");
  const measuring = [
    repeat(state, value, async () => void (await (await fetch(`${api}vessels/self/navigation`)).text())),
    repeat(state, tree, async () => void (await (await fetch(api)).text())),
    repeat(state, subscription, async () => {
      const answer = once(subscriber, "message");
      subscriber.send(
        '{"unsubscribe":[{"path":"*"}],"subscribe":[{"path":"environment.depth.belowTransducer","period":60000,"policy":"fixed"}]}',
      );
      await answer;
    }),
  ];
  const address = host === undefined ? undefined : "192.0.2.9";
  // Attackers run in their own thread, because their work would delay the measurement.
  const hostile = new Worker(new URL(import.meta.url), {
    workerData: { port: signalK, address, attackers: Number(attackers) },
  });
  let closed = 0;
  hostile.on("message", () => {
    closed += 1;
  });
  await delay(seconds * 1000);
  state.isOver = true;
  end(undefined);
  lineGap.add(performance.now() - last);
  if (reported !== undefined) change.add(performance.now() - reported);
  const megabytes = megabytesOf(link.pid, "VmHWM");
  const asked = performance.now();
  link.kill("SIGTERM");
  await Promise.race([once(link, "exit"), delay(30_000)]);
  const stopped = performance.now() - asked;
  link.kill("SIGKILL");
  await hostile.terminate();
  for (const timer of timers) clearInterval(timer);
  for (const socket of [...listeners, subscriber]) socket.terminate();
  lines.destroy();
  await publisher.endAsync(true);
  await Promise.allSettled(measuring);
  const times = [value, tree, subscription, change, gap, lineGap].map(({ milliseconds }) => milliseconds);
  return [name, ...[...times, stopped].map(Math.round), closed, Math.round(megabytes)];
}

function resolvers() {
  let resolve;
  const promise = new Promise((each) => {
    resolve = each;
  });
  return { promise, resolve };
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), "hub-bench-"));
  writeFileSync(join(folder, "conf"), `listener ${brokerPort} 127.0.0.1\nallow_anonymous true\nuser root\n`);
  const broker = spawn("mosquitto", ["-c", join(folder, "conf")], {
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
    stdio: "ignore",
  });
  const columns = [
    ...["attackers", "value ms", "tree ms", "subscription ms", "change ms", "boat's gap ms", "NMEA 0183 gap ms"],
    ...["SIGTERM ms", "closed", "peak MB"],
  ];
  console.log(columns.join("   "));
  for (const name of cases) {
    const cells = await run(name);
    console.log(cells.map((cell, at) => String(cell).padStart(columns[at].length)).join("   "));
  }
  broker.kill();
  rmSync(folder, { recursive: true });
}

const brokerPort = isMainThread ? await freePort() : 0;
if (isMainThread) await main();
else await Promise.all(Array.from({ length: workerData.attackers }, () => attack(workerData)));
