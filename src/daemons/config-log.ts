/**
 * Log of hub-configd, in lines without level and code, as programs that read it expect: with -v, info and debug lines
 * go to stdout as bare messages; warnings and errors always go to stderr.
 */
import { type Log, type LogFields, messageOf } from "../core/ports/log.ts";

export interface ConfigLog extends Log {
  isVerbose(): boolean;
  /** Turns info and debug lines on or off, and logs that. */
  setVerbose(verbose: boolean): void;
}

export function configLog(isVerbose: boolean): ConfigLog {
  const { stdout, stderr } = process;
  let verbose = isVerbose;
  const tell = (message: string, fields?: LogFields): void => {
    if (verbose) stdout.write(`${lineOf(message, fields)}\n`);
  };
  const warn = (message: string, fields?: LogFields): void => {
    stderr.write(`config: ${lineOf(message, fields)}\n`);
  };
  return {
    error: warn,
    warn,
    info: tell,
    debug(message, fields) {
      if (verbose) tell(messageOf(message), fields);
    },
    isVerbose: () => verbose,
    setVerbose(next) {
      verbose = next;
      stdout.write(`config: verbose = ${verbose ? 1 : 0}\n`);
    },
  };
}

/** A single line, because text from outside must not write lines of its own. */
const lineOf = (message: string, fields: LogFields = {}): string =>
  [message, ...Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`)]
    .join(" ")
    .replaceAll(/\p{C}+/gu, " ");
