/**
 * The time of GET /health of hub-configd while it serves a large request, compared with GET of an idle bare Node
 * server, in turn, so that the load of the machine affects both alike. Another process sends the large requests.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { createReadStream, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { end, megabytesOf } from "./process.mjs";
import { quantile } from "./rounds.mjs";
import { get, raw, startBare, startConfigd } from "./servers.mjs";

const MB = 1e6;
const GOAL_MS = 100;

/** Bodies that are written once, and those that are streams of one chunk. */
const bodies = {
  steps: () =>
    JSON.stringify(
      Array.from({ length: 10_000 }, (_, n) => ({
        method: "PUT",
        url: `/project/a/sensor/sensor-${n}`,
        data: { unit: "cm", max: n },
      })),
    ),
  brackets: () => Buffer.alloc(50 * MB, "["),
  keys: () => `{${Array.from({ length: 3_500_000 }, (_, n) => `"k${n}":${n % 10}`)}}`,
  film: () => Buffer.alloc(50 * MB, "media"),
  gigabyte: () => Buffer.alloc(1000 * MB, "application"),
};

/**
 * Name, method, path, body, status.
 * @type {readonly [string, string, string, keyof typeof bodies | undefined, number][]}
 */
const loads = [
  ["nothing else", "", "", undefined, 0],
  ["transaction of 10,000 steps", "POST", "/project/a/transaction", "steps", 200],
  ["50 MB of [", "PUT", "/project/a/sensor/x", "brackets", 400],
  ["restore of 3.5 million keys", "PUT", "/project/keys/restore", "keys", 201],
  ["50 MB of media, PUT", "PUT", "/project/a/media/film", "film", 201],
  ["50 MB of media, GET", "GET", "/project/a/media/film", undefined, 200],
  ["1 GB of an application, PUT", "PUT", "/apps/a", "gigabyte", 201],
  ["1 GB of an application, GET", "GET", "/apps/a", undefined, 200],
];

/** Sends one request, its body from a file; resolves with the status when the response is complete. */
async function send(port, method, path, file) {
  const length = file === undefined ? 0 : statSync(file).size;
  const socket = connect(port, "127.0.0.1");
  let head;
  socket.on("data", (chunk) => {
    head ??= chunk.toString("latin1");
  });
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
  if (file !== undefined) createReadStream(file, { highWaterMark: 1 << 20 }).pipe(socket, { end: false });
  await once(socket, "close");
  return Number(head.split(" ", 2)[1]);
}

const bare = `
const [, port] = process.argv;
require("node:http").createServer((request, response) => {
  response.shouldKeepAlive = false;
  response.end('{\\n  "status": "ready"\\n}\\n');
}).listen(Number(port), "127.0.0.1");
`;

const childrenOf = (pid) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .split(" ")
    .filter((text) => text !== "");

/** Peaks of the first process and of the second, which may end at any time. */
function peaksOf(pid, peaks) {
  peaks.first = Math.max(peaks.first, megabytesOf(pid, "VmHWM"));
  for (const child of childrenOf(pid)) {
    try {
      // A process that is ending has no memory.
      peaks.second = Math.max(peaks.second, megabytesOf(child, "VmHWM") || 0);
    } catch {
      // The process has ended.
    }
  }
}

async function milliseconds(port) {
  const begin = performance.now();
  if ((await raw(port, get("/health"))) === 0) throw new Error("no answer");
  return performance.now() - begin;
}

/** Milliseconds: median, 99 %, maximum, and how many are above the goal. */
function quantiles(of, values) {
  const sorted = Float64Array.from(values).sort();
  const at = (share) => quantile(sorted, share);
  const late = values.filter((value) => value > GOAL_MS).length;
  return { [`${of} ms`]: at(0.5), [`${of} 99 %`]: at(0.99), [`${of} at most`]: at(1), [`${of} over ${GOAL_MS}`]: late };
}

export async function openHealth(folder) {
  mkdirSync(join(folder, "configuration"));
  const files = Object.fromEntries(Object.keys(bodies).map((name) => [name, join(folder, name)]));
  for (const [name, body] of Object.entries(bodies)) writeFileSync(files[name], body());
  const other = await startBare(bare);
  const asked = async ({ name, method, path, body, status }) => {
    /** @type {[number[], number[]]} */
    const [own, theirs] = [[], []];
    const peaks = { first: 0, second: 0 };
    const server = await startConfigd(folder);
    const sender = fork(fileURLToPath(import.meta.url), [String(server.port)]);
    for (let n = 0; n < 200; n++) for (const { port } of [server, other]) await milliseconds(port);
    await raw(server.port, "PUT /project/a HTTP/1.1\r\nHost: x\r\n\r\n");
    if (name.endsWith("media, GET")) await send(server.port, "PUT", path, files.film);
    const begin = performance.now();
    let isRunning = true;
    const answered = method === "" ? delay(2000, [{ status }]) : once(sender, "message");
    if (method !== "") sender.send({ method, path, file: body && files[body] });
    const over = answered.then(([answer]) => {
      isRunning = false;
      if (answer.status !== status) throw new Error(`${name}: ${answer.status}`);
    });
    while (isRunning) {
      own.push(await milliseconds(server.port));
      theirs.push(await milliseconds(other.port));
      peaksOf(server.child.pid, peaks);
      await delay(2);
    }
    await over;
    const seconds = (performance.now() - begin) / 1000;
    await end(sender);
    await server.stop();
    const figures = { seconds, requests: own.length, ...quantiles("own", own), ...quantiles("bare", theirs) };
    return { ...figures, "MB first": peaks.first, "MB second": peaks.second };
  };
  const inputs = loads.map(([name, method, path, body, status]) => ({ name, method, path, body, status }));
  return { inputs, programs: { "hub-configd": asked }, close: () => other.stop() };
}

// This runs in the sending process.
if (process.argv[1] === fileURLToPath(import.meta.url))
  process.on("message", async ({ method, path, file }) => {
    process.send?.({ status: await send(Number(process.argv[2]), method, path, file) });
  });
