/**
 * A log for what the bus provokes. A hostile bus could ask for a line per frame; of each sentence one line a minute is
 * written, and the next one says how many were left out. Sentences are few and fixed, what varies is in their values.
 */
import { type Log, type LogLevel, type LogValues, type Sentence, spoken } from "../ports/log.ts";

const INTERVAL = 60_000;

export class SeldomLog implements Log {
  /** Monotonic time, milliseconds; whoever hands out time sets it. */
  now = Number.NEGATIVE_INFINITY;
  readonly #log: Log;
  readonly #sentences = new Map<string, { free: number; leftOut: number }>();

  constructor(log: Log) {
    this.#log = log;
  }

  error(sentence: string, values?: LogValues): void {
    this.#write("error", sentence, values);
  }

  warn(sentence: string, values?: LogValues): void {
    this.#write("warn", sentence, values);
  }

  info(sentence: string, values?: LogValues): void {
    this.#write("info", sentence, values);
  }

  debug(sentence: Sentence, values?: LogValues): void {
    this.#write("debug", spoken(sentence), values);
  }

  #write(level: LogLevel, sentence: string, values?: LogValues): void {
    const before = this.#sentences.get(sentence);
    if (before !== undefined && this.now < before.free) {
      before.leftOut++;
      return;
    }
    const leftOut = before?.leftOut ?? 0;
    this.#sentences.set(sentence, { free: this.now + INTERVAL, leftOut: 0 });
    this.#log[level](sentence, leftOut === 0 ? values : { ...values, leftOut });
  }
}
