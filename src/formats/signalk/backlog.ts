/**
 * Changes that wait to be sent to one client. While it keeps up, it gets the messages that all clients share; while it
 * is behind, changes are gathered, so that a value that has changed several times is sent once.
 */
import type { SharedText } from "../../core/ports/text-stream.ts";
import { Changes } from "./changes.ts";
import type { Leaf } from "./model.ts";
import { deltaText } from "./text.ts";

/** Changes of a context that were collected together. */
export interface Batch {
  readonly context: string;
  readonly leaves: readonly Leaf[];
  /** The delta of the leaves at these places, made once for all clients that get the same. */
  readonly textOf: (places: readonly number[]) => SharedText;
}

/** All changes that were collected together, at `now`. */
export interface Round {
  readonly batches: readonly Batch[];
  readonly now: number;
}

/** Rounds that wait before they are gathered: half a second. */
const MAX_ROUNDS = 10;
/** A client that is further behind is dropped: five seconds, or twice the values of a thousand ships. */
const MAX_ROUNDS_BEHIND = 100;
const MAX_LEAVES_BEHIND = 50_000;

/** Characters of a round's deltas for clients that get a part, kept for the next client that gets the same. */
const MAX_KEPT_TEXT = 256 << 10;

/** Takes out the changes that go into messages now. */
export function roundOf(changes: Changes, now: number): Round {
  const budget = { left: MAX_KEPT_TEXT };
  return { batches: [...changes.take()].map(([context, leaves]) => batchOf(context, leaves, budget)), now };
}

function batchOf(context: string, leaves: readonly Leaf[], budget: { left: number }): Batch {
  let whole: SharedText | undefined;
  const parts = new Map<string, SharedText>();
  const partOf = (places: readonly number[]): SharedText => {
    const key = places.join();
    const part = parts.get(key) ?? {
      text: deltaText(
        context,
        places.map((place) => leaves[place]!),
      ),
    };
    if (!parts.has(key) && part.text.length <= budget.left) {
      budget.left -= part.text.length;
      parts.set(key, part);
    }
    return part;
  };
  const textOf = (places: readonly number[]): SharedText => {
    if (places.length < leaves.length) return partOf(places);
    whole ??= { text: deltaText(context, leaves) };
    return whole;
  };
  return { context, leaves, textOf };
}

export class Backlog {
  /** Rounds that have not begun, the oldest first. */
  readonly #rounds: Round[] = [];
  /** Changes older than these rounds. */
  readonly #gathered = new Changes();
  #gatheredAt = 0;

  /** Whether the client is too far behind to catch up. */
  get isTooLong(): boolean {
    return this.#rounds.length > MAX_ROUNDS_BEHIND || this.#gathered.size > MAX_LEAVES_BEHIND;
  }

  add(round: Round): void {
    this.#rounds.push(round);
  }

  clear(): void {
    this.#rounds.length = 0;
    this.#gathered.clear();
  }

  /** Gathers the oldest of too many rounds; returns its work, 0 if there are not too many. */
  gather(): number {
    if (this.#rounds.length <= MAX_ROUNDS) return 0;
    const { batches, now } = this.#rounds.shift()!;
    this.#gatheredAt = now;
    for (const { leaves } of batches) for (const leaf of leaves) this.#gathered.add(leaf);
    return batches.reduce((sum, { leaves }) => sum + leaves.length, 1);
  }

  /** Takes out the next round. */
  next(): Round | undefined {
    return this.#gathered.size > 0 ? roundOf(this.#gathered, this.#gatheredAt) : this.#rounds.shift();
  }
}
