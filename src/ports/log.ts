/** Log lines are values with a sentence. */

export type LogLevel = "error" | "warn" | "info" | "debug";

/** What a line carries beside its sentence: names to plain values. */
export type LogValues = Readonly<Record<string, string | number | bigint | boolean | readonly (string | number)[]>>;

export interface Log {
  error(sentence: string, values?: LogValues): void;
  warn(sentence: string, values?: LogValues): void;
  info(sentence: string, values?: LogValues): void;
  debug(sentence: string, values?: LogValues): void;
}
