/** What the benchmarks of hub-configd share: servers started and asked, one connection a request as the service has it. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { ownFlags } from "./own-flags.mjs";
import { freePort, root } from "./rounds.mjs";

const daemon = join(root, "dist/hub-configd.mjs");

/** One request on a connection of its own; resolves with the bytes of the answer once the server has closed. */
export const raw = (port, text) =>
  new Promise((resolve, reject) => {
    let length = 0;
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => (length += chunk.length));
    socket.on("error", reject).on("close", () => resolve(length));
  });

export const get = (path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
export const put = (path, body) =>
  `PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Starts a server; resolves, once it takes a connection, with how long that took. */
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
    stop: () => new Promise((resolve) => child.on("close", resolve).kill("SIGKILL")),
  };
}

/** Seconds of CPU that a server has used so far, in steps of 0.01 (proc(5), fields 14 and 15 of stat). */
export function cpuOf({ child }) {
  const stat = readFileSync(`/proc/${child.pid}/stat`, "utf8");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return (user + system) / 100;
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
