/** The last message of each instance of what alarms watch: engines, batteries, pilots. Times are monotonic milliseconds. */
import type { Definition, Message } from "../n2k/definition.ts";

/** Age at which a message is stale. The slowest of them is sent every 1.5 seconds. */
const MAX_AGE_MS = 10_000;

/** Instances that are kept, because a bus may name every one. */
const MAX_INSTANCES = 256;

/** Messages of a PGN by instance. */
interface Kept {
  readonly messages: Map<number, unknown>;
  readonly arrived: Map<number, number>;
}

export class LatestMessages {
  /** By PGN. */
  readonly #kept = new Map<number, Kept>();

  /** Takes a message that nothing changes any more. One without an instance is kept nowhere. */
  hear(message: { readonly pgn: number }, instance: number | undefined, arrived: number): void {
    if (instance === undefined) return;
    const kept = this.#of(message.pgn);
    if (kept.messages.size >= MAX_INSTANCES && !kept.messages.has(instance)) return;
    kept.messages.set(instance, message);
    kept.arrived.set(instance, arrived);
  }

  /** Forgets what is stale at `now`. */
  removeStale(now: number): void {
    for (const { messages, arrived } of this.#kept.values())
      for (const [instance, at] of arrived) {
        if (now - at <= MAX_AGE_MS) continue;
        messages.delete(instance);
        arrived.delete(instance);
      }
  }

  /** By instance. */
  of<Kind extends Definition>({ pgn }: Kind): ReadonlyMap<number, Message<Kind>> {
    return this.#of(pgn).messages as ReadonlyMap<number, Message<Kind>>;
  }

  #of(pgn: number): Kept {
    const kept = this.#kept.get(pgn) ?? { messages: new Map(), arrived: new Map() };
    this.#kept.set(pgn, kept);
    return kept;
  }
}
