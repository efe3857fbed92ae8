/**
 * Log lines as text, one per call: `warn broker is away, trying again broker=mqtt://127.0.0.1:1883 reason="…"`.
 * For the journal the level is its priority prefix (`<4>`, sd-daemon(3)) instead, which the journal takes off again.
 */
import type { Log, LogLevel, LogValues } from "../../ports/log.ts";

export const logLevels = ["error", "warn", "info", "debug"] as const satisfies readonly LogLevel[];

/** syslog's numbers. */
const priorities: Readonly<Record<LogLevel, number>> = { error: 3, warn: 4, info: 6, debug: 7 };

export interface ConsoleLogOptions {
  /** Lines below this level are left out. */
  readonly level: LogLevel;
  /** Whether the lines go to systemd's journal. */
  readonly journal: boolean;
  /** Takes a line with its end. */
  readonly write: (line: string) => void;
}

export function consoleLog({ level, journal, write }: ConsoleLogOptions): Log {
  const least = logLevels.indexOf(level);
  const at = (own: LogLevel): Log[LogLevel] => {
    if (logLevels.indexOf(own) > least) return () => {};
    const head = journal ? `<${priorities[own]}>` : `${own} `;
    return (sentence, values) => write(`${head}${oneLine(sentence)}${valuesText(values)}\n`);
  };
  return { error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") };
}

const valuesText = (values: LogValues = {}): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}=${quoted(Array.isArray(value) ? value.join(",") : String(value))}`)
    .join("");

/** As it is where that is unmistakable, else as a JSON string. */
const quoted = (text: string): string => (/^[^\s"=\p{C}]+$/u.test(text) ? text : JSON.stringify(text));

/** A line break in a sentence would begin another line, and text from outside must not write lines of its own. */
const oneLine = (text: string): string => text.replaceAll(/\p{C}+/gu, " ");
