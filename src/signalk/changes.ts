/** Leaves that wait to be sent, by context, in the order in which they came; one that changes while it waits is sent once. */
import type { Leaf } from "./model.ts";

/** One of these at most is in a message: OpenCPN 5.10 takes a message with both for a position that is not valid. */
const headings: ReadonlySet<string> = new Set(["navigation.headingTrue", "navigation.headingMagnetic"]);

export class Changes {
  readonly #waiting = new Map<string, Set<Leaf>>();

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  add(leaf: Leaf): void {
    const ofContext = this.#waiting.get(leaf.context);
    if (ofContext === undefined) this.#waiting.set(leaf.context, new Set([leaf]));
    else ofContext.add(leaf);
  }

  /** Takes the changes out, a message of a context at a time, while `isReady`. What must not be in the same message waits on. */
  *take(isReady: () => boolean = () => true): Generator<readonly [context: string, leaves: readonly Leaf[]]> {
    for (const [context, waiting] of this.#waiting) {
      if (!isReady()) return;
      const leaves = [...waiting];
      const [, second] = leaves.filter(({ path }) => headings.has(path));
      if (second === undefined) this.#waiting.delete(context);
      else this.#waiting.set(context, new Set([second]));
      yield [context, second === undefined ? leaves : leaves.filter((leaf) => leaf !== second)];
    }
  }
}
