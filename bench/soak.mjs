/**
 * 24 hours of bus time, compressed: does hub-cand grow? `npm run soak`; HUB_SOAK_HOURS for another number of hours.
 *
 * The simulated voyage, as `candump -L` text, goes through a pipe into `--replay - --speed 0`, whose clock is that of the
 * recording. An hour of bus time after the other the daemon's memory is read; what counts is the slope of a line through
 * these readings, without the first quarter, in which caches fill. Prints the readings; ends with 1 if it grows by more
 * than 1 MB an hour of bus time.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { candumpText } from "../scripts/simulate.mjs";
import { ownFlags } from "./own-flags.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const HOUR = 3_600_000;
const BEGINNING = Date.UTC(2026, 10, 21);
/** Least squares over hours of bus time. */
export function slope(readings) {
  const count = readings.length;
  const mean = (pick) => readings.reduce((sum, reading) => sum + pick(reading), 0) / count;
  const [x, y] = [mean(({ hour }) => hour), mean(({ megabytes }) => megabytes)];
  const [xy, xx] = [
    mean(({ hour, megabytes }) => (hour - x) * (megabytes - y)),
    mean(({ hour }) => (hour - x) ** 2),
  ];
  return xy / xx;
}

const megabytes = (pid) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;

/** Runs so many hours of bus time through a replay; gives the memory of the daemon, `perHour` times an hour. */
export async function replaySoak(hours, perHour = 4) {
  const { simulatedCandump } = await candumpText();
  const hub = join(root, "dist/hub-cand.mjs");
  const child = spawn(process.execPath, [...ownFlags(hub), hub, "--replay", "-", "--speed", "0", "--stdout"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let messages = 0;
  child.stdout.on("data", (chunk) => {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) messages++;
  });
  const readings = [];
  let frames = 0;
  let due = BEGINNING + HOUR / perHour;
  for (const text of simulatedCandump(hours * HOUR, BEGINNING)) {
    frames += text.split("\n").length - 1;
    if (!child.stdin.write(text)) await once(child.stdin, "drain");
    const wall = Number(/\((\d+)/.exec(text)?.[1] ?? 0) * 1000;
    if (wall < due) continue;
    readings.push({ hour: (due - BEGINNING) / HOUR, megabytes: megabytes(child.pid) });
    due += HOUR / perHour;
  }
  child.stdin.end();
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`hub-cand ended with ${code}`);
  return { frames, messages, readings };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const hours = Number(process.env.HUB_SOAK_HOURS ?? 24);
  const { frames, messages, readings } = await replaySoak(hours);
  const grows = slope(readings.slice(readings.length >> 2));
  for (const { hour, megabytes } of readings.filter(({ hour }) => Number.isInteger(hour))) {
    console.log(`${String(hour).padStart(4)} h ${megabytes.toFixed(1).padStart(7)} MB`);
  }
  console.log(`replay: ${hours} h of bus time, ${frames} frames, ${messages} messages, ${grows.toFixed(3)} MB an hour`);
  process.exit(grows < 1 ? 0 : 1);
}
