/**
 * Leaves that wait to be sent, by context, in their order of arrival; a leaf that changes while it waits is sent once.
 */
import type { Leaf } from "./model.ts";

/** A message has at most one of these: OpenCPN 5.10 takes a message with both for an invalid position. */
const headings: ReadonlySet<string> = new Set(["navigation.headingTrue", "navigation.headingMagnetic"]);

/** Maximum leaves of a message. */
const MAX_LEAVES = 500;

export class Changes {
  readonly #waiting = new Map<string, Set<Leaf>>();
  /** The number of leaves. */
  size = 0;

  add(leaf: Leaf): void {
    const ofContext = this.#waiting.get(leaf.context);
    this.size += ofContext?.has(leaf) ? 0 : 1;
    if (ofContext === undefined) this.#waiting.set(leaf.context, new Set([leaf]));
    else ofContext.add(leaf);
  }

  clear(): void {
    this.#waiting.clear();
    this.size = 0;
  }

  /**
   * Takes out the changes, one message for each context, and one for the values of other devices, which few clients
   * ask for. Leaves that must not be in the same message go on waiting.
   */
  *take(): Generator<readonly [context: string, leaves: readonly Leaf[]]> {
    for (const [context, waiting] of this.#waiting)
      for (const leaves of messagesOf(waiting)) {
        for (const leaf of leaves) waiting.delete(leaf);
        this.size -= leaves.length;
        if (waiting.size === 0) this.#waiting.delete(context);
        yield [context, leaves];
      }
  }
}

/** The leaves that go into messages: into one, and those of other devices into another. */
function messagesOf(waiting: ReadonlySet<Leaf>): readonly (readonly Leaf[])[] {
  const leaves: Leaf[] = [];
  const others: Leaf[] = [];
  let hasHeading = false;
  for (const leaf of waiting) {
    const isHeading = headings.has(leaf.path);
    if (isHeading && hasHeading) continue;
    hasHeading ||= isHeading;
    (leaf.isOther ? others : leaves).push(leaf);
    if (leaves.length + others.length === MAX_LEAVES) break;
  }
  return [leaves, others].filter(({ length }) => length > 0);
}
