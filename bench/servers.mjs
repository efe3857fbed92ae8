/** What the benchmarks of hub-configd share: servers started and asked, one connection a request as the service has it. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { ownFlags } from "./own-flags.mjs";
import { freePort, root } from "./rounds.mjs";

const daemon = join(root, "dist/hub-configd.mjs");

/** One request on a connection of its own; resolves with the length of the answer once the server has closed. */
export const raw = (port, text, take = () => {}) =>
  new Promise((resolve, reject) => {
    let length = 0;
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => {
      length += chunk.length;
      take(chunk);
    });
    socket.on("error", reject).on("close", () => resolve(length));
  });

/** The headers of an answer as it is sent, names and values in one list, without those that any server adds. */
export async function headersOf(port, text) {
  const chunks = [];
  await raw(port, text, (chunk) => chunks.push(chunk));
  const [head] = Buffer.concat(chunks).toString("latin1").split("\r\n\r\n", 1);
  const lines = head.split("\r\n").slice(1);
  return lines.filter((line) => !/^(Date|Connection):/.test(line)).flatMap((line) => line.split(": "));
}

export const get = (path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
export const put = (path, body) =>
  `PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Starts a server; resolves, once it has answered, with how long that took and the seconds of CPU until then. */
export async function start(args, port) {
  const begin = performance.now();
  const child = spawn(process.execPath, args, { stdio: "ignore" });
  while (!(await raw(port, get("/health")).catch(() => 0))) {
    if (child.exitCode !== null) throw new Error(`${args[0]} ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const milliseconds = performance.now() - begin;
  return {
    child,
    port,
    milliseconds,
    cpu: cpuOf({ child }),
    stop: () => new Promise((resolve) => child.on("close", resolve).kill("SIGKILL")),
  };
}

/** Seconds of CPU that a server has used so far: what the kernel's scheduler has counted for each of its threads. */
export function cpuOf({ child }) {
  const threads = `/proc/${child.pid}/task`;
  const nanoseconds = (thread) => Number(readFileSync(`${threads}/${thread}/schedstat`, "utf8").split(" ", 1)[0]);
  return readdirSync(threads).reduce((sum, thread) => sum + nanoseconds(thread), 0) / 1e9;
}

/** hub-configd on a port of its own, its data in `folder`. */
export async function startConfigd(folder) {
  const port = await freePort();
  return start([...ownFlags(daemon), daemon, "-p", String(port), "-c", folder, "-s", join(root, "dist/swagger")], port);
}

/** Milliseconds that one call takes, of many in a row. */
export async function each(times, work) {
  const begin = performance.now();
  for (let n = 0; n < times; n++) await work(n);
  return (performance.now() - begin) / times;
}
