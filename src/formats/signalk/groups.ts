/** Subscriptions by their contexts, so that those that match a value are found without comparing each. */
import { addTo } from "../../core/util/grouped.ts";
import type { Leaf } from "./model.ts";
import type { Pattern } from "./pattern.ts";
import type { Subscription } from "./subscription.ts";

type MatchedLeaf = Pick<Leaf, "path" | "isPlain" | "isOther">;

/** The subscriptions with one pattern of contexts. */
export class Group {
  readonly context: Pattern;
  /** Subscriptions without `*`, by path. */
  readonly #exact = new Map<string, Subscription[]>();
  readonly #patterns: Subscription[] = [];

  constructor(context: Pattern) {
    this.context = context;
  }

  /** Work of `each`. */
  get cost(): number {
    return 1 + this.#patterns.length;
  }

  add(subscription: Subscription): void {
    const { path } = subscription;
    if (path.hasWildcard) this.#patterns.push(subscription);
    else addTo(this.#exact, path.text, subscription);
  }

  /**
   * Calls `use` with each subscription that matches a leaf. A property of the vessel itself also has the empty path.
   */
  each({ path, isPlain, isOther }: MatchedLeaf, use: (subscription: Subscription) => void): void {
    const take = (one: Subscription): void => {
      if (!isOther || one.takesOthers) use(one);
    };
    for (const one of this.#exact.get(path) ?? none) take(one);
    if (isPlain) for (const one of this.#exact.get("") ?? none) take(one);
    for (const one of this.#patterns) if (one.path.matches(path) || (isPlain && one.path.matches(""))) take(one);
  }
}

const none: readonly Subscription[] = [];

export function groupsOf(subscriptions: Iterable<Subscription>): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const subscription of subscriptions) {
    const { context } = subscription;
    const group = groups.get(context.text) ?? new Group(context);
    groups.set(context.text, group);
    group.add(subscription);
  }
  return [...groups.values()];
}
