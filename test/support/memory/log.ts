/** Log lines kept in a list. */
import { type LazyMessage, type Log, type LogFields, type LogLevel, messageOf } from "../../../src/core/ports/log.ts";

export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

export interface MemoryLog extends Log {
  readonly lines: readonly LogLine[];
  /** Forgets the lines so far. */
  clear(): void;
}

export function memoryLog(): MemoryLog {
  const lines: LogLine[] = [];
  const at =
    (level: LogLevel) =>
    (message: LazyMessage, fields: LogFields = {}): void => {
      lines.push({ level, message: messageOf(message), fields });
    };
  const clear = (): void => {
    lines.length = 0;
  };
  return { lines, clear, error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") };
}
