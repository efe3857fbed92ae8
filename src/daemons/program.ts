/** A command line carried out: the part of `main` that is the same in daemons with settings and a log on standard error. */
import { ConsoleLog } from "../adapters/node/console-log.ts";
import type { Log, LogLevel } from "../ports/log.ts";
import { StartupError } from "./errors.ts";
import type { Command } from "./options.ts";
import { stop } from "./stop.ts";
import { version } from "./version.ts";

/** A log on standard error, with the priority prefixes of the journal where that is connected to it. */
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

/**
 * Carries a command out; returns the exit code. `logFailure` logs an error that ends the program with 1 and returns true; other
 * errors are thrown on.
 */
export async function runProgram<Settings extends { readonly logLevel: LogLevel }>(
  name: string,
  command: Command<Settings>,
  run: (settings: Settings, log: ConsoleLog) => Promise<void>,
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
      return 1;
  }
  const log = stderrLog(command.settings.logLevel);
  // A full disk costs the log its lines and not the boat its data. Lines are written again once there is room.
  process.stderr.on("error", () => {});
  // Without a listener SIGUSR1 would start the inspector of Node.
  process.on("SIGUSR1", () => log.changeLevel(1));
  process.on("SIGUSR2", () => log.changeLevel(-1));
  try {
    await run(command.settings, log);
    return stop.exitCode;
  } catch (error) {
    if (!logFailure(error, log)) throw error;
    return 1;
  }
}
