/** The last message of each engine, battery and pilot that alarms watch. Times are monotonic milliseconds. */
import type { Definition, Message } from "../n2k/definition.ts";

/** Age at which a message expires. The slowest of these messages is sent every 1.5 seconds. */
const MAX_AGE_MS = 10_000;

/** Maximum instances in memory, because a bus may use all numbers. */
const MAX_INSTANCES = 256;

/** Messages of a PGN by instance. */
interface Kept {
  readonly messages: Map<number, unknown>;
  readonly arrived: Map<number, number>;
}

export class LatestMessages {
  /** Messages by PGN. */
  readonly #kept = new Map<number, Kept>();

  /** Takes a message, which must not be changed later. A message without an instance is not kept. */
  hear(message: { readonly pgn: number }, instance: number | undefined, arrived: number): void {
    if (instance === undefined) return;
    const kept = this.#of(message.pgn);
    if (kept.messages.size >= MAX_INSTANCES && !kept.messages.has(instance)) return;
    kept.messages.set(instance, message);
    kept.arrived.set(instance, arrived);
  }

  /** Forgets messages that have expired at `now`. */
  removeStale(now: number): void {
    for (const { messages, arrived } of this.#kept.values())
      for (const [instance, at] of arrived) {
        if (now - at <= MAX_AGE_MS) continue;
        messages.delete(instance);
        arrived.delete(instance);
      }
  }

  /** The messages of a definition by instance. */
  of<Kind extends Definition>({ pgn }: Kind): ReadonlyMap<number, Message<Kind>> {
    return this.#of(pgn).messages as ReadonlyMap<number, Message<Kind>>;
  }

  #of(pgn: number): Kept {
    const kept = this.#kept.get(pgn) ?? { messages: new Map(), arrived: new Map() };
    this.#kept.set(pgn, kept);
    return kept;
  }
}
