/**
 * A log for lines that the bus can cause. A hostile bus could cause one per frame, so each message is written once a
 * minute, and its next line has the number of lines left out.
 */
import { type CodedFields, type LazyMessage, type Log, type LogFields, messageOf } from "../ports/log.ts";

const INTERVAL_MS = 60_000;

interface Written {
  /** Monotonic time from which the message is written again, milliseconds. */
  free: number;
  leftOut: number;
}

export class RateLimitedLog implements Log {
  readonly #log: Log;
  readonly #monotonic: () => number;
  /** Lines written, by message. */
  readonly #written = new Map<string, Written>();

  /** `monotonic` is the clock, milliseconds. */
  constructor(log: Log, monotonic: () => number) {
    this.#log = log;
    this.#monotonic = monotonic;
  }

  error(message: string, fields: CodedFields): void {
    const leftOut = this.#leftOutBefore(message);
    if (leftOut !== undefined) this.#log.error(message, { ...fields, ...leftOut });
  }

  warn(message: string, fields: CodedFields): void {
    const leftOut = this.#leftOutBefore(message);
    if (leftOut !== undefined) this.#log.warn(message, { ...fields, ...leftOut });
  }

  info(message: string, fields?: LogFields): void {
    const leftOut = this.#leftOutBefore(message);
    if (leftOut !== undefined) this.#log.info(message, { ...fields, ...leftOut });
  }

  debug(message: LazyMessage, fields?: LogFields): void {
    const text = messageOf(message);
    const leftOut = this.#leftOutBefore(text);
    if (leftOut !== undefined) this.#log.debug(text, { ...fields, ...leftOut });
  }

  /** The field with the number of lines left out; undefined if this line is to be left out too. */
  #leftOutBefore(message: string): { readonly leftOut?: number } | undefined {
    const now = this.#monotonic();
    const before = this.#written.get(message);
    if (before !== undefined && now < before.free) {
      before.leftOut++;
      return undefined;
    }
    this.#written.set(message, { free: now + INTERVAL_MS, leftOut: 0 });
    return before === undefined || before.leftOut === 0 ? {} : { leftOut: before.leftOut };
  }
}
