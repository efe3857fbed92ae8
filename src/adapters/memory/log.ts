/** Log lines kept in a list. */
import { type Log, type LogLevel, type LogValues, type Sentence, spoken } from "../../ports/log.ts";

export interface LogLine {
  readonly level: LogLevel;
  readonly sentence: string;
  readonly values: LogValues;
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
    (sentence: Sentence, values: LogValues = {}): void => {
      lines.push({ level, sentence: spoken(sentence), values });
    };
  const clear = (): void => {
    lines.length = 0;
  };
  return { lines, clear, error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") };
}
