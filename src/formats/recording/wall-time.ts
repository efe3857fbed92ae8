/** Wall clock times of recordings, in microseconds since 1970 UTC, from the dates and times of their formats. */
import type { TextCursor } from "./text-cursor.ts";

export const MICROSECONDS_OF_SECOND = 1_000_000;
const SECONDS_OF_DAY = 86_400;
export const MILLISECONDS_OF_DAY = SECONDS_OF_DAY * 1000;

/** Reads `hh:mm:ss` or `hh:mm:ss.ddd`: microseconds since midnight, -1 if there is none. */
export function takeTimeOfDay(cursor: TextCursor): number {
  const hours = cursor.decimal();
  if (!cursor.take(":")) return -1;
  const minutes = cursor.decimal();
  if (!cursor.take(":")) return -1;
  const seconds = cursor.decimal();
  const fraction = cursor.take(".") ? cursor.microseconds() : 0;
  if (fraction < 0) return -1;
  const whole = secondsOfDay(hours, minutes, seconds);
  return whole < 0 ? -1 : whole * MICROSECONDS_OF_SECOND + fraction;
}

/** Seconds since midnight (a leap second counts as the next second), -1 for an invalid time. */
export function secondsOfDay(hours: number, minutes: number, seconds: number): number {
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 60) return -1;
  return (hours * 60 + minutes) * 60 + seconds;
}

/** Reads `YYYY-MM-DD`: milliseconds since 1970, NaN if there is no such day. */
export function takeDate(cursor: TextCursor): number {
  const year = cursor.decimal();
  if (cursor.digits !== 4 || !cursor.take("-")) return Number.NaN;
  const month = cursor.decimal();
  if (month < 1 || month > 12 || !cursor.take("-")) return Number.NaN;
  const day = cursor.decimal();
  const midnight = Date.UTC(year, month - 1, day);
  return new Date(midnight).getUTCDate() === day ? midnight : Number.NaN;
}

/**
 * Unwraps a counter that starts again after `period` microseconds, such as the time of day, to wall clock times: each
 * value becomes the time closest to the one before. The first one counts from `start`, microseconds since 1970.
 */
export class RunningTime {
  readonly #period: number;
  #start: number;
  #last: number | undefined;

  constructor(start: number, period: number) {
    this.#start = start;
    this.#period = period;
  }

  wall(value: number): number {
    if (this.#last !== undefined) {
      if (value - this.#last < -this.#period / 2) this.#start += this.#period;
      else if (value - this.#last > this.#period / 2) this.#start -= this.#period;
    }
    this.#last = value;
    return this.#start + value;
  }
}

/** The wall clock of values of a counter in microseconds, of which the first is at `begin`, in milliseconds. */
export function timesFrom(begin: number, period: number): (value: number) => number {
  let times: RunningTime | undefined;
  return (value) => {
    times ??= new RunningTime(begin * 1000 - value, period);
    return times.wall(value);
  };
}

/** Maximum difference between the clock of a recorder and that of the file system. */
const CLOCKS_APART_MS = 60_000;

/** The times of day of a recording modified at `modified`, milliseconds since 1970: the first one is not after it. */
export class TimesOfDay {
  readonly #modified: number;
  #running: RunningTime | undefined;

  constructor(modified: number) {
    this.#modified = modified;
  }

  /** Microseconds since 1970 of a time in microseconds since midnight. */
  wall(time: number): number {
    this.#running ??= new RunningTime(this.#midnightOf(time) * 1000, MILLISECONDS_OF_DAY * 1000);
    return this.#running.wall(time);
  }

  /** Midnight of the day of the first time, milliseconds since 1970; never before 1970. */
  #midnightOf(time: number): number {
    const latest = this.#modified + CLOCKS_APART_MS - time / 1000;
    return Math.max(0, Math.floor(latest / MILLISECONDS_OF_DAY)) * MILLISECONDS_OF_DAY;
  }
}
