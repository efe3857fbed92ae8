/**
 * 24 hours of a busy boat, compressed, to see whether hub-configd grows or slows down: `npm run soak:configd`;
 * HUB_SOAK_HOURS sets another number of hours.
 *
 * An hour consists of the requests of displays and an editor in an hour: the deployed configuration each second, a
 * project every ten, a change every minute, transactions, deploys, uploads, refused and aborted requests; sent as fast
 * as possible, over real connections, to real files. After each hour the memory and the descriptors of the daemon and
 * the time of a response are read; the result is the slope of a line through these readings, without the first quarter,
 * in which caches fill. Ends with 1 if they grow by more than 1 MB, a tenth of a descriptor or 0.1 ms an hour.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { descriptorsOf, megabytesOf } from "./process.mjs";
import { median, slope } from "./rounds.mjs";
import { startConfigd } from "./servers.mjs";

const limits = { megabytes: 1, descriptors: 0.1, milliseconds: 0.1 };
/** Connections at a time. */
const CLIENTS = 4;

/** One request on a connection of its own; resolves with the status, 0 without a response. */
const send = (port, text) =>
  new Promise((resolve) => {
    let status = 0;
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.once("data", (chunk) => {
      status = Number(chunk.toString("latin1", 9, 12));
    });
    socket.on("data", () => {});
    socket.on("error", () => {}).on("close", () => resolve(status));
  });

/** A client that disconnects within its request. */
const breakOff = (port, text) =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text, () => socket.destroy()));
    socket.on("error", () => {}).on("close", () => resolve(0));
  });

const request = (method, path, body = "") =>
  `${method} ${path} HTTP/1.1\r\nHost: boat\r\n${body && `Content-Length: ${Buffer.byteLength(body)}\r\n`}\r\n${body}`;

/** Requests: period in seconds, expected status, and how it is sent. */
const schedule = [
  { every: 1, status: 200, text: () => request("GET", "/deploy") },
  { every: 10, status: 200, text: () => request("GET", "/project/boat") },
  { every: 30, status: 404, text: () => request("GET", "/project/absent") },
  { every: 60, status: 201, text: (n) => request("PUT", `/project/boat/sensor/s${n % 40}`, `{"n": ${n}}`) },
  { every: 120, status: 400, text: () => request("PUT", "/project/boat/sensor/s", "{") },
  {
    every: 120,
    status: 0,
    text: () => request("PUT", "/apps/half", "x".repeat(50_000)).slice(0, 20_000),
    by: breakOff,
  },
  { every: 300, status: 200, text: (n) => request("POST", "/project/boat/transaction", transaction(n)) },
  { every: 600, status: 201, text: () => request("PUT", "/project/boat/deploy") },
  { every: 900, status: 201, text: (n) => request("PUT", "/project/films/media/film", "x".repeat(1_000_000 + n)) },
];

const transaction = (n) =>
  JSON.stringify([
    { url: `/project/boat/energy/e${n % 40}`, method: "PUT", data: { n } },
    { url: `/project/boat/energy/e${n % 40}`, method: "DELETE" },
  ]);

/** The requests of an hour, in order. */
function* hourOf(hour) {
  for (let second = 0; second < 3600; second++) {
    for (const item of schedule)
      if (second % item.every === 0) yield { ...item, text: item.text(hour * 3600 + second) };
  }
}

/** Sends the requests of an hour and reads the state of the daemon. */
async function readingAfter(hour, { pid, port }) {
  const took = [];
  const asked = hourOf(hour);
  const client = async () => {
    for (const { text, status, by = send } of asked) {
      const begin = performance.now();
      const answered = await by(port, text);
      took.push(performance.now() - begin);
      if (answered !== status) throw new Error(`${text.slice(0, 60)}: ${answered}, not ${status}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  // The daemon may still be closing the last connections.
  await new Promise((resolve) => setTimeout(resolve, 100));
  return {
    hour: hour + 1,
    requests: took.length,
    megabytes: megabytesOf(pid, "VmRSS"),
    descriptors: descriptorsOf(pid),
    milliseconds: median(took),
  };
}

/** Runs a number of hours; resolves with a reading of each. */
export async function soak(hours, tell = (_reading) => {}) {
  const folder = mkdtempSync(join(tmpdir(), "hub-soak-"));
  mkdirSync(join(folder, "configuration"));
  const { child, port, stop } = await startConfigd(folder);
  try {
    for (const path of ["/project/boat", "/project/films", "/project/boat/deploy"]) {
      await send(port, request("PUT", path));
    }
    const readings = [];
    for (let hour = 0; hour < hours; hour++) {
      const reading = await readingAfter(hour, { pid: child.pid, port });
      readings.push(reading);
      tell(reading);
    }
    return readings;
  } finally {
    await stop();
    rmSync(folder, { recursive: true });
  }
}

/**
 * Growth of each reading in an hour.
 *
 * @returns {[name: string, by: number][]}
 */
export function growth(readings) {
  const counted = readings.slice(readings.length >> 2);
  return Object.keys(limits).map((name) => [name, slope(counted.map((reading) => [reading.hour, reading[name]]))]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const readings = await soak(
    Number(process.env.HUB_SOAK_HOURS ?? 24),
    ({ hour, requests, megabytes, descriptors, milliseconds }) =>
      console.log(
        `${String(hour).padStart(4)} h ${requests} requests ${megabytes.toFixed(1).padStart(7)} MB ` +
          `${descriptors} descriptors ${milliseconds.toFixed(2)} ms`,
      ),
  );
  const grows = growth(readings);
  for (const [name, by] of grows) console.log(`${name}: ${by.toFixed(3)} more each hour, at most ${limits[name]}`);
  process.exit(grows.every(([name, by]) => by < limits[name]) ? 0 : 1);
}
