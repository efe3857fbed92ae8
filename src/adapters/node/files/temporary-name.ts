/**
 * Names of temporary files that identify the process writing them, so that a later start removes the files that a crash
 * left and none that is still being written. Sixteen hexadecimal digits, short enough to fit beside any other name:
 *
 *     .00126704fd1c003a.tmp
 *      pid ^^^^^^
 *            ^^^^^^ low 24 bits of the process's start time, in clock ticks since boot (proc_pid_stat(5))
 *                  ^^^^ counter
 */
import { readFileSync } from "node:fs";

const NAME = /^\.([0-9a-f]{6})([0-9a-f]{6})[0-9a-f]{4}\.tmp$/;

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0").slice(-digits);

/**
 * Start time of a process, low 24 bits in hexadecimal; `ended` for a process that has ended and is not waited for yet,
 * undefined if /proc cannot be read. A pid alone is reused.
 */
function startTimeOf(pid: number | "self"): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "latin1");
    // Field 2, the name of the program, may contain blanks and parentheses; field 22 is the start time.
    const fields = status.slice(status.lastIndexOf(")")).split(" ");
    const isZombie = fields[1] === "Z";
    return isZombie ? "ended" : hex(Number(fields[20]) % 2 ** 24, 6);
  } catch {
    return undefined;
  }
}

/** Made on first use: a daemon that only reads needs none of it. */
let prefix: string | undefined;
/** The count starts at a random number: after a reboot pid and start time may be those of the process that crashed. */
let count = Math.floor(Math.random() * 2 ** 16);

/** A name that no other process uses, and that this process repeats after 65,536 files. */
export function temporaryName(): string {
  prefix ??= `.${hex(process.pid, 6)}${startTimeOf("self") ?? "000000"}`;
  count = (count + 1) % 2 ** 16;
  return `${prefix}${hex(count, 4)}.tmp`;
}

/** Whether the name is a temporary file of a process that has ended. */
export function isAbandoned(name: string): boolean {
  const [, pidDigits, startTime] = NAME.exec(name) ?? [];
  if (pidDigits === undefined) return false;
  const pid = Number.parseInt(pidDigits, 16);
  if (!isRunning(pid)) return true;
  const found = startTimeOf(pid);
  return found !== undefined && found !== startTime;
}

function isRunning(pid: number): boolean {
  // Signal 0 to process 0 would reach our own group.
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs as another user. Without permission to check (Deno) it counts as running.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
