/** State of a running process, from /proc. */
import { readFileSync } from "node:fs";

/** Megabytes from /proc/PID/status: `VmRSS` (resident now), `VmHWM` (peak). */
export function megabytesOf(pid, name) {
  const [, kilobytes] = new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}
