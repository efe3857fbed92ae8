/** Programs to measure: their start, and their state in /proc. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, root } from "./rounds.mjs";

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
  spawn(process.execPath, [...ownFlags(script), script, ...args], { stdio });

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
  const child = spawn("mosquitto", ["-c", config], { env, stdio: "ignore" });
  if (await new Promise((resolve) => child.on("error", () => resolve(true)).on("spawn", () => resolve(false)))) return;
  return { port, pid: child.pid, url: `mqtt://127.0.0.1:${port}`, close: () => end(child) };
}
