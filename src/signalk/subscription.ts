/** A subscription of a client: which values it gets, and when. Times are milliseconds, monotonic. */
import type { Leaf, Model } from "./model.ts";
import { type Pattern, patternOf } from "./pattern.ts";

/**
 * instant: a change at once, but none before `minPeriod` is over. ideal: the same, and the last values again after `period` without
 * a change. fixed: the last values every `period`.
 */
export const policies = ["instant", "ideal", "fixed"] as const;
export type Policy = (typeof policies)[number];

export interface SubscriptionOptions {
  readonly context: string;
  readonly path: string;
  readonly policy: Policy;
  readonly period: number;
  readonly minPeriod: number;
}

/** Defaults of a subscription by the specification. */
export const subscriptionDefaults = { policy: "ideal", period: 1000, minPeriod: 200 } as const;

/** Values of one ship come no more often than this, those of all ships every second at most. */
const MIN_PERIOD_MS = 100;
const MIN_PERIOD_OF_ALL_MS = 1000;

const NEVER = Number.POSITIVE_INFINITY;

export class Subscription {
  readonly context: Pattern;
  readonly path: Pattern;
  readonly #policy: Policy;
  readonly #period: number;
  readonly #minPeriod: number;
  readonly #begunAt: number;
  #sentAt = Number.NEGATIVE_INFINITY;
  /** A change waits for `minPeriod` to be over. */
  #isWaiting = false;

  constructor({ context, path, policy, period, minPeriod }: SubscriptionOptions, now: number) {
    this.context = patternOf(context);
    this.path = patternOf(path);
    this.#policy = policy;
    this.#period = Math.max(period, this.context.hasWildcard ? MIN_PERIOD_OF_ALL_MS : MIN_PERIOD_MS);
    this.#minPeriod = minPeriod;
    this.#begunAt = now;
  }

  /** When it has something to do. */
  get due(): number {
    if (this.#isWaiting) return this.#sentAt + this.#minPeriod;
    return this.#policy === "instant" ? NEVER : Math.max(this.#begunAt, this.#sentAt) + this.#period;
  }

  /** Takes changes of a context, of which some may match; those are returned that go out at once. */
  take(context: string, leaves: readonly Leaf[], model: Model, now: number): readonly Leaf[] {
    const mine = this.context.matches(context) ? this.#of(leaves) : [];
    if (mine.length === 0) return mine;
    const isEarly = now < this.#sentAt + this.#minPeriod;
    if (this.#policy !== "fixed" && !isEarly && !this.#isWaiting) {
      this.#sentAt = now;
      return mine;
    }
    this.#isWaiting ||= this.#policy !== "fixed";
    // Values that have died have left the model, where the others wait.
    const dead = mine.filter(({ value }) => value === null);
    return this.#isWaiting && !isEarly ? [...dead, ...this.advance(model, now)] : dead;
  }

  /** The values that are due at `now`. */
  advance(model: Model, now: number): readonly Leaf[] {
    if (now < this.due) return [];
    const isWaiting = this.#isWaiting;
    const before = this.#sentAt;
    this.#isWaiting = false;
    this.#sentAt = now;
    const current = this.current(model);
    return isWaiting ? current.filter(({ sentAt }) => sentAt >= before) : current;
  }

  /** The last values. */
  current({ contexts }: Model): readonly Leaf[] {
    const leaves: Leaf[] = [];
    const isOnePath = !this.path.hasWildcard && this.path.text !== "";
    for (const [context, ofContext] of contexts) {
      if (!this.context.matches(context)) continue;
      const leaf = isOnePath ? ofContext.get(this.path.text) : undefined;
      leaves.push(...this.#of(isOnePath ? (leaf === undefined ? [] : [leaf]) : [...ofContext.values()]));
    }
    return leaves;
  }

  /** Those of the leaves of a context whose paths match. */
  #of(leaves: readonly Leaf[]): readonly Leaf[] {
    const { path } = this;
    if (path.matchesAll) return leaves;
    return leaves.filter((leaf) => path.matches(leaf.path) || (leaf.isPlain && path.matches("")));
  }
}
