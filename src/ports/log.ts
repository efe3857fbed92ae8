/** Log lines are values with a sentence. */

export type LogLevel = "error" | "warn" | "info" | "debug";

/** What a line carries beside its sentence: names to plain values. */
export type LogValues = Readonly<Record<string, string | number | bigint | boolean | readonly (string | number)[]>>;

/** A sentence, or how to make one that is some work and is often not wanted. */
export type Sentence = string | (() => string);

export const spoken = (sentence: Sentence): string => (typeof sentence === "string" ? sentence : sentence());

export interface Log {
  error(sentence: string, values?: LogValues): void;
  warn(sentence: string, values?: LogValues): void;
  info(sentence: string, values?: LogValues): void;
  debug(sentence: Sentence, values?: LogValues): void;
}
