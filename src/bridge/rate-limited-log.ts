/**
 * A log for lines that the bus can cause. A hostile bus could cause one per frame, so each message is written once a
 * minute, for each interface and NAME that it is about, and its next line has the number of lines left out.
 */
import { type CodedFields, type LazyMessage, type Log, type LogFields, messageOf } from "../ports/log.ts";

const INTERVAL_MS = 60_000;

/** Lines about an interface or a NAME that are kept apart; a hostile bus has any number of NAMEs, which share one. */
const MAX_SUBJECTS = 16;

interface Written {
  /** Monotonic time from which the message is written again, milliseconds. */
  free: number;
  leftOut: number;
}

export class RateLimitedLog implements Log {
  readonly #log: Log;
  readonly #monotonic: () => number;
  /** Lines written, by message, and by message and subject. */
  readonly #written = new Map<string, Written>();
  readonly #bySubject = new Map<string, Written>();

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
    const subject = fields?.interface ?? fields?.name;
    const key = `${message}\n${subject}`;
    return subject !== undefined && this.#hasRoomFor(key, now)
      ? leftOutBefore(this.#bySubject, key, now)
      : leftOutBefore(this.#written, message, now);
  }

  #hasRoomFor(key: string, now: number): boolean {
    const lines = this.#bySubject;
    if (lines.size >= MAX_SUBJECTS && !lines.has(key))
      for (const [other, { free }] of lines) if (free <= now) lines.delete(other);
    return lines.size < MAX_SUBJECTS || lines.has(key);
  }
}

function leftOutBefore(
  written: Map<string, Written>,
  key: string,
  now: number,
): { readonly leftOut?: number } | undefined {
  const before = written.get(key);
  if (before !== undefined && now < before.free) {
    before.leftOut++;
    return undefined;
  }
  written.set(key, { free: now + INTERVAL_MS, leftOut: 0 });
  return before === undefined || before.leftOut === 0 ? {} : { leftOut: before.leftOut };
}
