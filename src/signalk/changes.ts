/** Leaves that wait to be sent, by context, in the order in which they came; one that changes while it waits is sent once. */
import type { Leaf } from "./model.ts";

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

  /** Takes the changes out, a context at a time, while `isReady`. */
  *take(isReady: () => boolean = () => true): Generator<readonly [context: string, leaves: readonly Leaf[]]> {
    for (const [context, leaves] of this.#waiting) {
      if (!isReady()) return;
      this.#waiting.delete(context);
      yield [context, [...leaves]];
    }
  }
}
