/**
 * Shared by the benchmarks of hub-configd: starting servers, and requests with a connection each, as the contract
 * wants.
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { dist, ownFlags } from "./process.mjs";
import { freePort, root } from "./rounds.mjs";

const daemon = dist("hub-configd");

/**
 * One request on a connection of its own; resolves with the length of the response once the server has closed. `onData`
 * gets its chunks, `onConnect` is called when the connection is there.
 */
export const raw = (port, text, { onData = (_chunk) => {}, onConnect = () => {} } = {}) =>
  new Promise((resolve, reject) => {
    let length = 0;
    const socket = connect(port, "127.0.0.1", () => {
      onConnect();
      socket.write(text);
    });
    socket.on("data", (chunk) => {
      length += chunk.length;
      onData(chunk);
    });
    socket.on("error", reject).on("close", () => resolve(length));
  });

/** The headers of a response, names and values in one list, without those that every server adds. */
export async function headersOf(port, text) {
  const chunks = [];
  await raw(port, text, { onData: (chunk) => chunks.push(chunk) });
  const [head] = Buffer.concat(chunks).toString("latin1").split("\r\n\r\n", 1);
  const lines = head.split("\r\n").slice(1);
  return lines.filter((line) => !/^(Date|Connection):/.test(line)).flatMap((line) => line.split(": "));
}

export const get = (path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
export const put = (path, body) =>
  `PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/**
 * Starts a server; resolves after its first response, with the milliseconds until it listened and until it responded,
 * and its CPU seconds until then.
 */
export async function start(args, port) {
  const begin = performance.now();
  const child = spawn(process.execPath, args, { stdio: "ignore" });
  let listening;
  const onConnect = () => {
    listening ??= performance.now() - begin;
  };
  while (!(await raw(port, get("/health"), { onConnect }).catch(() => 0))) {
    if (child.exitCode !== null) throw new Error(`${args[0]} ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const answered = performance.now() - begin;
  return {
    child,
    port,
    listening,
    answered,
    cpu: cpuOf({ child }),
    stop: () => new Promise((resolve) => child.on("close", resolve).kill("SIGKILL")),
  };
}

/** CPU seconds of a server so far, by the scheduler's counters of its threads. */
export function cpuOf({ child }) {
  const threads = `/proc/${child.pid}/task`;
  const nanoseconds = (thread) => Number(readFileSync(`${threads}/${thread}/schedstat`, "utf8").split(" ", 1)[0]);
  return readdirSync(threads).reduce((sum, thread) => sum + nanoseconds(thread), 0) / 1e9;
}

/** Starts hub-configd on a free port, with its data in `folder`. */
export async function startConfigd(folder) {
  const port = await freePort();
  return start([...ownFlags(daemon), daemon, "-p", String(port), "-c", folder, "-s", join(root, "dist/swagger")], port);
}

/**
 * Starts a server to compare with, from the source of a CommonJS script, with a port, `args` and the V8 flags of
 * hub-configd.
 */
export async function startBare(source, ...args) {
  const port = await freePort();
  return start([...ownFlags(daemon), "-e", source, String(port), ...args], port);
}

/** Milliseconds per call, over many calls in a row. */
export async function each(times, work) {
  const begin = performance.now();
  for (let n = 0; n < times; n++) await work(n);
  return (performance.now() - begin) / times;
}

/** The minimum for a durable write: temporary file, its sync, rename, sync of the folder. */
export async function durableWrite(folder, path, bytes) {
  const file = await open(`${path}.tmp`, "w", 0o644);
  await file.writeFile(bytes);
  await file.sync();
  await file.close();
  await rename(`${path}.tmp`, path);
  const directory = await open(folder, "r");
  await directory.sync();
  await directory.close();
}

/** An entry with this number of bytes; base64 makes it a third longer. */
export const mediaOf = (bytes) => ({
  name: "film",
  metadata: {},
  data: Buffer.alloc(bytes, "media").toString("base64"),
});
