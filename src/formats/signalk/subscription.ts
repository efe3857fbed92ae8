/** A subscription of a client: its values and their times. Times are milliseconds, monotonic. */
import type { Leaf } from "./model.ts";
import { type Pattern, patternOf } from "./pattern.ts";

/**
 * instant: a change at once, but none before `minPeriod` is over. ideal: the same, and the last values again after
 * `period` without a change. fixed: the last values every `period`.
 */
export const policies = ["instant", "ideal", "fixed"] as const;
export type Policy = (typeof policies)[number];

/**
 * preferred: one value of each path, of the device that gave it first. all: also those of other devices at the same
 * path, as signalk-server 2.28 has it (github.com/SignalK/specification, pull request 679).
 */
export const sourcePolicies = ["preferred", "all"] as const;
export type SourcePolicy = (typeof sourcePolicies)[number];

export interface SubscriptionOptions {
  readonly context: string;
  readonly path: string;
  readonly policy: Policy;
  readonly period: number;
  readonly minPeriod: number;
  readonly sourcePolicy: SourcePolicy;
}

/** Defaults of a subscription by the specification. */
export const subscriptionDefaults = { policy: "ideal", period: 1000, minPeriod: 200 } as const;

/** Shortest period for values of one ship; values of all ships are sent at most every second. */
const MIN_PERIOD_MS = 100;
const MIN_PERIOD_OF_ALL_MS = 1000;

const NEVER = Number.POSITIVE_INFINITY;
/** Start of a search for values of any time. */
export const ALWAYS = Number.NEGATIVE_INFINITY;

export class Subscription {
  readonly context: Pattern;
  readonly path: Pattern;
  /** Whether it takes the values of other devices at the same path. */
  readonly takesOthers: boolean;
  readonly #policy: Policy;
  readonly #period: number;
  readonly #minPeriod: number;
  readonly #begunAt: number;
  #sentAt = ALWAYS;
  /** Arrival of the first change that waits for the end of `minPeriod`. */
  #waitsSince = NEVER;

  constructor({ context, path, policy, period, minPeriod, sourcePolicy }: SubscriptionOptions, now: number) {
    this.context = patternOf(context);
    this.path = patternOf(path);
    this.takesOthers = sourcePolicy === "all";
    this.#policy = policy;
    this.#period = Math.max(period, this.context.hasWildcard ? MIN_PERIOD_OF_ALL_MS : MIN_PERIOD_MS);
    this.#minPeriod = minPeriod;
    this.#begunAt = now;
  }

  /** Time at which it has something to do. */
  get due(): number {
    if (this.#waitsSince !== NEVER) return this.#sentAt + this.#minPeriod;
    return this.#policy === "instant" ? NEVER : Math.max(this.#begunAt, this.#sentAt) + this.#period;
  }

  /**
   * Takes a change that matches; true if it goes out at once. `now` is the same for changes that were collected
   * together.
   */
  take(leaf: Leaf, now: number): boolean {
    // An expired value is sent at once, because it has left the model, in which the others wait.
    if (leaf.value === null) return true;
    // The client gets it as a current value.
    if (this.#policy === "fixed" || leaf.sentAt < this.#begunAt) return false;
    const isEarly = now !== this.#sentAt && now < this.#sentAt + this.#minPeriod;
    if (isEarly || this.#waitsSince !== NEVER) this.#waitsSince = Math.min(this.#waitsSince, leaf.sentAt);
    else this.#sentAt = now;
    return !isEarly && this.#waitsSince === NEVER;
  }

  /** Begins to send the values due at `now`: those sent since the returned time; undefined: none is due. */
  begin(now: number): number | undefined {
    if (now < this.due) return undefined;
    const since = this.#waitsSince === NEVER ? ALWAYS : this.#waitsSince;
    this.#waitsSince = NEVER;
    this.#sentAt = now;
    return since;
  }
}
