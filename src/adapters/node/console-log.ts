/**
 * Log lines as text, one per call: `warn broker is away, trying again code=BROKER_AWAY broker=mqtt://127.0.0.1:1883`.
 * For the journal the level is its priority prefix (`<4>`, sd-daemon(3)) instead, which the journal removes.
 */
import {
  type CodedFields,
  type LazyMessage,
  type Log,
  type LogFields,
  type LogLevel,
  messageOf,
} from "../../core/ports/log.ts";

const logLevels = ["error", "warn", "info", "debug"] as const satisfies readonly LogLevel[];

/** syslog's numbers. */
const priorities: Readonly<Record<LogLevel, number>> = { error: 3, warn: 4, info: 6, debug: 7 };

export interface ConsoleLogOptions {
  /** Initial level, below which lines are left out. */
  readonly level: LogLevel;
  /** Whether the lines go to systemd's journal. */
  readonly journal: boolean;
  /** Writes a line, which includes its line end. */
  readonly write: (line: string) => void;
}

/** A log whose level can be changed while it is in use. */
export class ConsoleLog implements Log {
  readonly #options: ConsoleLogOptions;
  /** Rank of the last level that is written. */
  #least: number;

  constructor(options: ConsoleLogOptions) {
    this.#options = options;
    this.#least = logLevels.indexOf(options.level);
  }

  error(message: string, fields: CodedFields): void {
    if (this.#isWritten("error")) this.#write("error", message, fields);
  }

  warn(message: string, fields: CodedFields): void {
    if (this.#isWritten("warn")) this.#write("warn", message, fields);
  }

  info(message: string, fields?: LogFields): void {
    if (this.#isWritten("info")) this.#write("info", message, fields);
  }

  debug(message: LazyMessage, fields?: LogFields): void {
    if (this.#isWritten("debug")) this.#write("debug", messageOf(message), fields);
  }

  /** Writes one level more (1) or less (-1) from now on, if there is one, and logs the new level. */
  changeLevel(steps: 1 | -1): void {
    this.#least = Math.max(0, Math.min(logLevels.length - 1, this.#least + steps));
    this.#write("info", "log level", { level: logLevels[this.#least]! });
  }

  #isWritten(level: LogLevel): boolean {
    return logLevels.indexOf(level) <= this.#least;
  }

  #write(level: LogLevel, message: string, fields: LogFields = {}): void {
    const head = this.#options.journal ? `<${priorities[level]}>` : `${level} `;
    this.#options.write(`${head}${oneLine(message)}${fieldsText(fields)}\n`);
  }
}

const fieldsText = (fields: LogFields): string =>
  Object.entries(fields)
    .map(([name, value]) => ` ${name}=${quoted(Array.isArray(value) ? value.join(",") : String(value))}`)
    .join("");

/** A JSON string if the text has blanks, quotes, `=` or control characters, otherwise the text itself. */
const quoted = (text: string): string => (/^[^\s"=\p{C}]+$/u.test(text) ? text : JSON.stringify(text));

/** Replaces line breaks and control characters, because text from outside must not write lines of its own. */
const oneLine = (text: string): string => text.replaceAll(/\p{C}+/gu, " ");
