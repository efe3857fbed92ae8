/**
 * `node bench/health.mjs`: how long GET /health of hub-configd takes while it serves a large request, beside GET of a bare Node
 * server that has nothing else to do, in turn, so that the load of the machine falls on both alike. The large requests are sent
 * by another process.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { createReadStream, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { megabytesOf } from "./process.mjs";
import { printTable } from "./rounds.mjs";
import { get, raw, startBare, startConfigd } from "./servers.mjs";

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const MB = 1e6;
const GOAL_MS = 100;
const IDLE = "nothing else";

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
  [IDLE, "", "", undefined, 0],
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

/** In the sending process. */
function becomeSender(port) {
  process.on("message", async ({ method, path, file }) => {
    process.send?.({ status: await send(port, method, path, file) });
  });
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
      // It has ended.
    }
  }
}

async function milliseconds(port) {
  const begin = performance.now();
  if ((await raw(port, get("/health"))) === 0) throw new Error("no answer");
  return performance.now() - begin;
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

/** Milliseconds as text, and how many are above the goal. */
const describe = (values) => {
  const sorted = Float64Array.from(values).sort();
  const late = values.filter((value) => value > GOAL_MS).length;
  return [...[0.5, 0.99, 1].map((share) => quantile(sorted, share).toFixed(1)), late].join(" / ");
};

async function measure(folder) {
  const files = Object.fromEntries(Object.keys(bodies).map((name) => [name, join(folder, name)]));
  for (const [name, body] of Object.entries(bodies)) writeFileSync(files[name], body());
  const other = await startBare(bare);
  const rows = [];
  for (const [name, method, path, body, expected] of loads) {
    /** @type {{ own: number[], other: number[] }} */
    const times = { own: [], other: [] };
    const peaks = { first: 0, second: 0 };
    let took = 0;
    const server = await startConfigd(folder);
    const sender = fork(fileURLToPath(import.meta.url), ["send", String(server.port)]);
    for (let n = 0; n < 200; n++) for (const { port } of [server, other]) await milliseconds(port);
    for (let round = 0; round < rounds; round++) {
      await raw(server.port, `PUT /project/a HTTP/1.1\r\nHost: x\r\n\r\n`);
      if (name.endsWith("media, GET")) await send(server.port, "PUT", path, files.film);
      const begin = performance.now();
      let isRunning = true;
      const answered =
        name === IDLE
          ? new Promise((resolve) => setTimeout(resolve, 2000, [{ status: expected }]))
          : once(sender, "message");
      if (name !== IDLE) sender.send({ method, path, file: body && files[body] });
      const over = answered.then(([{ status }]) => {
        isRunning = false;
        if (status !== expected) throw new Error(`${name}: ${status}`);
      });
      while (isRunning) {
        times.own.push(await milliseconds(server.port));
        times.other.push(await milliseconds(other.port));
        peaksOf(server.child.pid, peaks);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      await over;
      took += performance.now() - begin;
    }
    sender.kill("SIGKILL");
    await server.stop();
    rows.push({
      "": name,
      seconds: (took / rounds / 1000).toFixed(1),
      requests: String(times.own.length),
      "/health ms: median / 99 % / max / over 100": describe(times.own),
      "bare ms": describe(times.other),
      "MB first / second": `${peaks.first.toFixed(0)} / ${peaks.second.toFixed(0)}`,
    });
  }
  await other.stop();
  printTable(rows);
}

if (process.argv[2] === "send") {
  becomeSender(Number(process.argv[3]));
} else {
  const folder = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), "hub-bench-health-"));
  try {
    console.log(`Node ${process.version}, ${rounds} rounds each`);
    mkdirSync(join(folder, "configuration"));
    await measure(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
