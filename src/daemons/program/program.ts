/** Runs a command line: the common part of `main` in daemons with settings and a log on standard error. */
import { ConsoleLog } from "../../adapters/node/console-log.ts";
import { systemClock } from "../../adapters/node/system-clock.ts";
import type { Log, LogLevel } from "../../core/ports/log.ts";
import { RateLimitedLog } from "../../services/bridge/rate-limited-log.ts";
import { Closers } from "./closers.ts";
import { StartupError } from "./errors.ts";
import type { Command } from "./options.ts";
import { stop } from "./stop.ts";
import { version } from "./version.ts";

/** A log on standard error, with the priority prefixes of the journal if it is connected to the journal. */
export const stderrLog = (level: LogLevel): ConsoleLog =>
  new ConsoleLog({
    level,
    journal: process.env.JOURNAL_STREAM !== undefined,
    write: (line) => process.stderr.write(line),
  });

export function logStartupError(error: unknown, log: Log): boolean {
  if (!(error instanceof StartupError)) return false;
  log.error(error.message, { code: "START_FAILED" });
  return true;
}

/** EX_USAGE of sysexits.h, by which units tell an error that lasts (RestartPreventExitStatus=) from others. */
const SERVICE_USAGE = 64;

/** The exit code after a bad option: 1, and one of its own for a service manager, which would try again for ever. */
const usageExitCode = (): number => (process.env.SYSTEMD_EXEC_PID === String(process.pid) ? SERVICE_USAGE : 1);

/**
 * Time after a request to stop in which everything is closed; longer it waits neither for a broker nor for the reader
 * of a pipe.
 */
const CLOSE_MS = 1600;

/** Services that `runProgram` gives to a program. */
export interface Run {
  readonly log: Log;
  /** Log with a limited rate, for lines that a client, a message or a device can cause. */
  readonly limitedLog: Log;
  readonly opened: Closers;
  /** Closes them before the end. */
  close(): Promise<void>;
}

/**
 * Runs a command; returns the exit code. `logFailure` logs an error that ends the program with 1 and returns true;
 * other errors are rethrown.
 */
export async function runProgram<Settings extends { readonly logLevel: LogLevel }>(
  name: string,
  command: Command<Settings>,
  run: (settings: Settings, parts: Run) => Promise<void>,
  logFailure = logStartupError,
): Promise<number> {
  switch (command.kind) {
    case "help":
      process.stdout.write(command.text);
      return 0;
    case "version":
      process.stdout.write(`${name} ${version}\n`);
      return 0;
    case "usage-error":
      process.stderr.write(`${name}: ${command.message}\n`);
      return usageExitCode();
  }
  const log = stderrLog(command.settings.logLevel);
  // With a full disk, lines of the log are lost, but the daemon continues. Lines are written again when there is room.
  process.stderr.on("error", () => {});
  // Without a listener SIGUSR1 would start the inspector of Node.
  process.on("SIGUSR1", () => log.changeLevel(1));
  process.on("SIGUSR2", () => log.changeLevel(-1));
  const opened = new Closers();
  const close = (): Promise<void> => Promise.race([opened.close(), stop.after(CLOSE_MS)]);
  const limitedLog = new RateLimitedLog(log, () => systemClock.monotonic());
  try {
    await run(command.settings, { log, limitedLog, opened, close }).finally(close);
    return stop.exitCode;
  } catch (error) {
    if (!logFailure(error, log)) throw error;
    return 1;
  }
}

/**
 * Ends the program with an exit code. A module that awaits it keeps its code, and all that it made meanwhile, to the end
 * of the program: 3.7 MB in hub-link.
 */
export function endWith(code: Promise<number>): void {
  void code.then((value) => {
    process.exitCode = value;
  });
}
