/**
 * A log for lines that the bus can cause. A hostile bus could cause one per frame, so each message is written once a
 * minute, for each interface and NAME that it is about, and its next line has the number of lines left out.
 */
import { type CodedFields, type LazyMessage, type Log, type LogFields, messageOf } from "../../core/ports/log.ts";

const INTERVAL_MS = 60_000;

/** Interfaces or NAMEs of a message that are kept apart; a hostile bus has any number of NAMEs, which share a line. */
const MAX_SUBJECTS = 8;

interface Written {
  /** Monotonic time from which the message is written again, milliseconds. */
  free: number;
  leftOut: number;
}

export class RateLimitedLog implements Log {
  readonly #log: Log;
  readonly #monotonic: () => number;
  /** Lines written, by message, and within it by subject; undefined: without one, or beyond those kept apart. */
  readonly #written = new Map<string, Map<unknown, Written>>();

  /** `monotonic` is the clock, milliseconds. */
  constructor(log: Log, monotonic: () => number) {
    this.#log = log;
    this.#monotonic = monotonic;
  }

  error(message: string, fields: CodedFields): void {
    const leftOut = this.#leftOutBefore(message, fields);
    if (leftOut !== undefined) this.#log.error(message, { ...fields, ...leftOut });
  }

  warn(message: string, fields: CodedFields): void {
    const leftOut = this.#leftOutBefore(message, fields);
    if (leftOut !== undefined) this.#log.warn(message, { ...fields, ...leftOut });
  }

  info(message: string, fields?: LogFields): void {
    const leftOut = this.#leftOutBefore(message, fields);
    if (leftOut !== undefined) this.#log.info(message, { ...fields, ...leftOut });
  }

  debug(message: LazyMessage, fields?: LogFields): void {
    const text = messageOf(message);
    const leftOut = this.#leftOutBefore(text, fields);
    if (leftOut !== undefined) this.#log.debug(text, { ...fields, ...leftOut });
  }

  /** The field with the number of lines left out; undefined if this line is to be left out too. */
  #leftOutBefore(message: string, fields?: LogFields): { readonly leftOut?: number } | undefined {
    const now = this.#monotonic();
    const written = this.#written.get(message) ?? new Map<unknown, Written>();
    this.#written.set(message, written);
    const subject = subjectIn(written, fields?.interface ?? fields?.name, now);
    const before = written.get(subject);
    if (before !== undefined && now < before.free) {
      before.leftOut++;
      return undefined;
    }
    written.set(subject, { free: now + INTERVAL_MS, leftOut: 0 });
    return before === undefined || before.leftOut === 0 ? {} : { leftOut: before.leftOut };
  }
}

/** The subject if it is kept apart, for which those whose interval is over make room. */
function subjectIn(written: Map<unknown, Written>, subject: unknown, now: number): unknown {
  if (written.has(subject)) return subject;
  if (written.size >= MAX_SUBJECTS)
    for (const [other, { free }] of written) if (other !== undefined && free <= now) written.delete(other);
  return written.size < MAX_SUBJECTS ? subject : undefined;
}
