/**
 * Logs counters of losses: at once when one has grown, then once a minute while it grows, and at the end, so that the
 * last line has the last count.
 */
import type { CodedFields, Log } from "../../../core/ports/log.ts";

const INTERVAL_MS = 60_000;

export interface LossCounter {
  readonly message: string;
  /** Losses since the start. */
  count(): number;
  fields(): CodedFields;
}

export class LossLog {
  readonly #log: Log;
  readonly #entries: readonly { readonly counter: LossCounter; told: number; toldAt: number }[];

  constructor(log: Log, counters: readonly LossCounter[]) {
    this.#log = log;
    this.#entries = counters.map((counter) => ({ counter, told: 0, toldAt: Number.NEGATIVE_INFINITY }));
  }

  /** Logs the counters that have grown; to be called about once a second. `now` is monotonic milliseconds. */
  advance(now: number): void {
    for (const entry of this.#entries) {
      const count = entry.counter.count();
      if (count === entry.told || now < entry.toldAt + INTERVAL_MS) continue;
      entry.told = count;
      entry.toldAt = now;
      this.#log.warn(entry.counter.message, entry.counter.fields());
    }
  }

  close(): void {
    this.advance(Number.POSITIVE_INFINITY);
  }
}
