/** Searches the model for the values of any number of subscriptions at once. */
import { type Group, groupsOf } from "./groups.ts";
import type { Leaf, Model } from "./model.ts";
import type { Subscription } from "./subscription.ts";

/** Times by path: values sent since then are wanted; Infinity: none. */
type SinceByPath = Map<string, number>;

/**
 * Work after which a search pauses: the boat itself may have hundreds of values, each of which is compared with
 * hundreds of patterns.
 */
const PIECE = 500;
const none: readonly Leaf[] = [];

/** Searches for each subscription, with the time since which it wants values; yields the work of each piece. */
export function* look(
  wishes: ReadonlyMap<Subscription, number>,
  { contexts }: Model,
  want: (leaf: Leaf) => void,
): Generator<number, void> {
  // The paths repeat from ship to ship.
  const groups = groupsOf(wishes.keys()).map((group) => ({
    group,
    known: new Map() as SinceByPath,
    knownOfOthers: new Map() as SinceByPath,
  }));
  // The iterator of a Map stays valid when contexts and leaves come and go.
  for (const [context, leaves] of contexts) {
    let work = groups.length;
    for (const { group, known, knownOfOthers } of groups) {
      if (!group.context.matches(context)) continue;
      for (const leaf of leaves.values()) {
        work += known.has(leaf.path) ? 1 : group.cost;
        if (leaf.sentAt >= sinceOf(leaf, group, wishes, known)) want(leaf);
        for (const other of leaf.others?.values() ?? none) {
          work += knownOfOthers.has(leaf.path) ? 1 : group.cost;
          if (other.sentAt >= sinceOf(other, group, wishes, knownOfOthers)) want(other);
        }
        if (work < PIECE) continue;
        yield work;
        work = 0;
      }
    }
    yield work + 1;
  }
}

/** The time since which the subscriptions of a group want the values of a leaf. */
function sinceOf(leaf: Leaf, group: Group, wishes: ReadonlyMap<Subscription, number>, known: SinceByPath): number {
  let since = known.get(leaf.path);
  if (since === undefined) {
    let soonest = Number.POSITIVE_INFINITY;
    group.each(leaf, (one) => {
      soonest = Math.min(soonest, wishes.get(one)!);
    });
    since = soonest;
    known.set(leaf.path, since);
  }
  return since;
}
