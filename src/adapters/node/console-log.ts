/**
 * Log lines as text, one per call: `warn broker is away, trying again broker=mqtt://127.0.0.1:1883 reason="…"`.
 * For the journal the level is its priority prefix (`<4>`, sd-daemon(3)) instead, which the journal takes off again.
 */
import { type Log, type LogLevel, type LogValues, spoken } from "../../ports/log.ts";

export const logLevels = ["error", "warn", "info", "debug"] as const satisfies readonly LogLevel[];

/** syslog's numbers. */
const priorities: Readonly<Record<LogLevel, number>> = { error: 3, warn: 4, info: 6, debug: 7 };

export interface ConsoleLogOptions {
  /** Lines below this level are left out, at first. */
  readonly level: LogLevel;
  /** Whether the lines go to systemd's journal. */
  readonly journal: boolean;
  /** Takes a line with its end. */
  readonly write: (line: string) => void;
}

/** A log whose level can be changed while it is in use. */
export interface ConsoleLog extends Log {
  /** Writes more (1) or fewer (-1) kinds of lines from now on, as far as there are any, and says which, whatever the level. */
  turn(steps: 1 | -1): void;
}

export function consoleLog({ level, journal, write }: ConsoleLogOptions): ConsoleLog {
  let least = logLevels.indexOf(level);
  const line = (own: LogLevel, sentence: string, values?: LogValues): void => {
    const head = journal ? `<${priorities[own]}>` : `${own} `;
    write(`${head}${oneLine(sentence)}${valuesText(values)}\n`);
  };
  const at = (own: LogLevel): Log["debug"] => {
    const rank = logLevels.indexOf(own);
    return (sentence, values) => {
      if (rank <= least) line(own, spoken(sentence), values);
    };
  };
  return {
    error: at("error"),
    warn: at("warn"),
    info: at("info"),
    debug: at("debug"),
    turn(steps) {
      least = Math.max(0, Math.min(logLevels.length - 1, least + steps));
      line("info", "log level", { level: logLevels[least]! });
    },
  };
}

const valuesText = (values: LogValues = {}): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}=${quoted(Array.isArray(value) ? value.join(",") : String(value))}`)
    .join("");

/** As it is where that is unmistakable, else as a JSON string. */
const quoted = (text: string): string => (/^[^\s"=\p{C}]+$/u.test(text) ? text : JSON.stringify(text));

/** A line break in a sentence would begin another line, and text from outside must not write lines of its own. */
const oneLine = (text: string): string => text.replaceAll(/\p{C}+/gu, " ");
