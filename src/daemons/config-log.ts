/**
 * Log of hub-configd: with -v what happens goes to stdout as bare sentences, one a line; what is wrong goes to stderr always.
 */
import { type Log, type LogValues, spoken } from "../ports/log.ts";

export interface LogStreams {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

export interface ConfigLog extends Log {
  /** Tells from now on what happens, or no longer, and says so. */
  setVerbose(verbose: boolean): void;
}

export function configLog(isVerbose: boolean, { stdout, stderr }: LogStreams = process): ConfigLog {
  let verbose = isVerbose;
  const tell = (sentence: string, values?: LogValues): void => {
    if (verbose) stdout.write(`${lineOf(sentence, values)}\n`);
  };
  const warn = (sentence: string, values?: LogValues): void => {
    stderr.write(`config: ${lineOf(sentence, values)}\n`);
  };
  return {
    error: warn,
    warn,
    info: tell,
    debug(sentence, values) {
      if (verbose) tell(spoken(sentence), values);
    },
    setVerbose(next) {
      verbose = next;
      stdout.write(`config: verbose = ${verbose ? 1 : 0}\n`);
    },
  };
}

/** One line whatever is in it: text from outside must not write lines of its own. */
const lineOf = (sentence: string, values: LogValues = {}): string =>
  [sentence, ...Object.entries(values).map(([name, value]) => `${name}=${String(value)}`)]
    .join(" ")
    .replaceAll(/\p{C}+/gu, " ");
