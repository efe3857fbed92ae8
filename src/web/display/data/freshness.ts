/**
 * Age and expiry of messages. Pure. Ages count from the arrival by this device's monotonic clock, because a tablet's
 * wall clock may be wrong; `boat-clock.ts` gives the age on arrival.
 */

import { hull } from "./hull.ts";

/**
 * Arrival in monotonic milliseconds, age at that time in seconds, and the age in seconds at which the message expires.
 */
export interface Stamp {
  readonly arrived: number;
  readonly ageOnArrival: number;
  readonly expireAfter: number;
}

/** Seconds between the reception on the bus and `now`, monotonic milliseconds. */
export const ageOf = ({ arrived, ageOnArrival }: Stamp, now: number): number =>
  ageOnArrival + Math.max(0, now - arrived) / 1000;

/** Number of gaps between messages that are remembered for each sender. */
const GAPS = 8;
/** A message expires after three of its sender's periods, and after at least three seconds. */
const PERIODS = 3;
const SHORTEST_LIFE_SECONDS = 3;

/** Estimates the period of a sender from the arrivals, because all messages of the bus have the same expiry. */
export class PeriodEstimate {
  readonly #gaps: number[] = [];
  #last: number | undefined;

  /** A message has arrived, monotonic milliseconds. */
  hear(now: number): void {
    if (this.#last !== undefined) this.#gaps.push((now - this.#last) / 1000);
    if (this.#gaps.length > GAPS) this.#gaps.shift();
    this.#last = now;
  }

  /** Seconds of the shortest remembered gap; undefined before the second message. */
  get shortest(): number | undefined {
    // biome-ignore lint/plugin: the last few gaps
    return this.#gaps.length === 0 ? undefined : Math.min(...this.#gaps);
  }

  /** Seconds after which the last message expires: `longest` until the period is known. */
  lifeSeconds(longest: number): number {
    if (this.#gaps.length === 0) return longest;
    // biome-ignore lint/plugin: the last few gaps
    return Math.min(longest, Math.max(SHORTEST_LIFE_SECONDS, PERIODS * Math.max(...this.#gaps)));
  }
}

export const isExpired = (stamp: Stamp, now: number): boolean => ageOf(stamp, now) > stamp.expireAfter;

export type Reading<Value> =
  /** Received and not expired. */
  | { readonly kind: "live"; readonly value: Value; readonly age: number }
  /** The report has `null`: the source is present but does not know the value. */
  | { readonly kind: "unknown" }
  /** Expired: last received `age` seconds ago. */
  | { readonly kind: "dead"; readonly value: Value; readonly age: number }
  /** Never received, or expired longer ago than `DEAD_SHOWN_SECONDS`. */
  | { readonly kind: "none" };

/**
 * Seconds for which an expired value is still shown, struck out. Ashore the last values of a boat are shown however old
 * they are, because nothing later is known.
 */
export const DEAD_SHOWN_SECONDS = hull === undefined ? 600 : Number.POSITIVE_INFINITY;

/** Allowance for the way of a report from the bridge to here. */
export const TRANSPORT_SECONDS = 2;

/** Every value that arrives in time has a lower age. */
const YOUNG_SECONDS = 2;

/** Whether the age of a value is shown beside it. */
export const isAgeTold = (seconds: number): boolean => seconds > YOUNG_SECONDS;
