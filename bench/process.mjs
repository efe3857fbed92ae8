/** Programs to measure: their start, and their state in /proc. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort, root } from "./rounds.mjs";

/** Time for what a busy machine does at last. */
const PATIENCE_MS = 60_000;

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();

function endAllWithThis() {
  process.on("exit", () => {
    for (const child of running) child.kill("SIGKILL");
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(1));
}

/** A child that does not outlive this process, whatever ends that. */
export function bound(child) {
  if (process.listenerCount("SIGTERM") === 0) endAllWithThis();
  running.add(child);
  return child.on("close", () => running.delete(child));
}

/** The result of `promise`, or an error that names it, after some time or when a child that it needs has ended. */
export async function awaited(what, promise, { milliseconds = PATIENCE_MS, from = /** @type {any[]} */ ([]) } = {}) {
  const over = new AbortController();
  const { signal } = over;
  const late = async () => {
    await delay(milliseconds, undefined, { signal });
    throw new Error(`${what}: not within ${milliseconds / 1000} s`);
  };
  const ended = async (child) => {
    const [code, by] = child.exitCode === null ? await once(child, "exit", { signal }) : [child.exitCode];
    throw new Error(`${what}: ${child.spawnargs.slice(0, 3).join(" ")} ended with ${code ?? by}`);
  };
  try {
    return await Promise.race([promise, late(), ...from.map(ended)]);
  } finally {
    over.abort();
  }
}

/** A connection to a port, once a server, one of `from`, listens there. */
export async function connected(port, { from = /** @type {any[]} */ ([]), milliseconds = PATIENCE_MS } = {}) {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    try {
      await awaited(`port ${port} listens`, once(socket, "connect"), { milliseconds, from });
      return socket;
    } catch (error) {
      socket.destroy();
      if (error.code !== "ECONNREFUSED") throw error;
      if (performance.now() > deadline) throw new Error(`port ${port} listens: not within ${milliseconds / 1000} s`);
      await delay(50);
    }
  }
}

/** A daemon of the build. */
export const dist = (name) => join(root, `dist/${name}.mjs`);

/**
 * The options after `node` in a first line such as `#!/usr/bin/env -S node --max-semi-space-size=2`; none without it.
 */
export function ownFlags(script) {
  const [first] = readFileSync(script, "utf8").split("\n", 1);
  const [, flags = ""] = /^#!.*\bnode (--.+)$/.exec(first) ?? [];
  return flags.split(" ").filter((flag) => flag !== "");
}

/** Starts a script of Node with the options of its first line, as a boat does. */
export const startNode = (script, args, stdio) =>
  bound(spawn(process.execPath, [...ownFlags(script), script, ...args], { stdio }));

/** Megabytes from /proc/PID/status: `VmRSS` (resident now), `VmHWM` (peak). */
export function megabytesOf(pid, name) {
  const [, kilobytes] = new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

/** Parent, and seconds of user and system time of a process so far. */
export function usageOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
    .replace(/^.*\) /s, "")
    .split(" ");
  return { parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / 100 };
}

export const descriptorsOf = (pid) => readdirSync(`/proc/${pid}/fd`).length;

/** Ends processes, and waits for it. */
export async function end(...children) {
  for (const child of children) {
    const ended = once(child, "close");
    if (child.exitCode === null && child.kill("SIGKILL")) await ended;
  }
}

/** Mosquitto on a port of its own; undefined if it is not installed. */
export async function startMosquitto(folder) {
  const port = await freePort();
  const config = join(folder, "mosquitto.conf");
  writeFileSync(config, `listener ${port} 127.0.0.1\nallow_anonymous true\nsys_interval 1\nuser root\n`);
  const env = { PATH: `${process.env.PATH}:/usr/sbin` };
  const child = bound(spawn("mosquitto", ["-c", config], { env, stdio: "ignore" }));
  if (await new Promise((resolve) => child.on("error", () => resolve(true)).on("spawn", () => resolve(false)))) return;
  return { port, pid: child.pid, url: `mqtt://127.0.0.1:${port}`, close: () => end(child) };
}
