/**
 * Whether the boat rests, and by whose word: a berth and an anchor watch are given by the crew; lying still is inferred
 * from the place, never from the speed: a boat adrift is slow. Times are monotonic milliseconds, distances metres.
 */
import type { Approach } from "../nav/ais-targets.ts";
import { greatCircle, METRES_PER_MILE, type Position } from "../nav/great-circle.ts";

/** Distance from her berth at which a boat has left it; positions beyond it for so long are no jump. */
const BERTH_METRES = 50;
const BERTH_LEFT_AFTER_MS = 10_000;
/** A boat lies still that has stayed within this distance for so long. */
const STILL_METRES = 30;
const STILL_AFTER_MS = 600_000;
/** Time without a position after which the place has to be found anew. */
const PLACE_LOST_AFTER_MS = 60_000;

const metres = (one: Position, other: Position): number => greatCircle(one, other).range * METRES_PER_MILE;

/** A berth that the crew has given. It is in force once the boat has been there, and until she leaves it. */
export class Berth {
  #place: Position | undefined;
  #isReached = false;
  #awaySince: number | undefined;

  /** The place, also before the boat has been there: one that was given before a start counts from the first position. */
  get place(): Position | undefined {
    return this.#place;
  }

  give(place: Position | undefined): void {
    this.#place = place;
    this.#isReached = false;
    this.#awaySince = undefined;
  }

  /**
   * Returns whether the boat is there. Without a position she stays until her speed tells that she is under way, because
   * instruments are switched off at the berth.
   */
  observe(position: Position | undefined, isStill: boolean, now: number): boolean {
    if (this.#place === undefined) return false;
    const isThere = position === undefined ? isStill : metres(this.#place, position) <= BERTH_METRES;
    if (isThere) {
      this.#awaySince = undefined;
      this.#isReached ||= position !== undefined;
    } else {
      this.#awaySince ??= now;
      if (now - this.#awaySince >= BERTH_LEFT_AFTER_MS) this.give(undefined);
    }
    return this.#isReached;
  }

  /** Metres to a position. */
  distance(position: Position | undefined): number | undefined {
    return this.#place && position && metres(this.#place, position);
  }
}

/** Whether the boat has stayed at one place. */
export class Place {
  #place: Position | undefined;
  #since = 0;
  #seenAt = 0;

  observe(position: Position | undefined, now: number): boolean {
    if (position !== undefined) {
      if (this.#place === undefined || metres(this.#place, position) > STILL_METRES) {
        this.#place = position;
        this.#since = now;
      }
      this.#seenAt = now;
    } else if (now - this.#seenAt > PLACE_LOST_AFTER_MS) this.#place = undefined;
    return this.#place !== undefined && now - this.#since >= STILL_AFTER_MS;
  }
}

/** Ships within a quarter of a mile that lie: they report to be moored, or have made no way for ten minutes. */
export class Neighbours {
  /** The times since which ships lie, by MMSI. */
  readonly #since = new Map<number, number>();

  /** Takes the ships that are near and make no way, and returns how many lie. */
  observe(ships: readonly Approach[], reportsMoored: (ship: Approach) => boolean, now: number): number {
    const near = new Set(ships.map(({ mmsi }) => mmsi));
    for (const mmsi of this.#since.keys()) if (!near.has(mmsi)) this.#since.delete(mmsi);
    let count = 0;
    for (const ship of ships) {
      const since = this.#since.get(ship.mmsi) ?? now;
      this.#since.set(ship.mmsi, since);
      if (reportsMoored(ship) || now - since >= STILL_AFTER_MS) count++;
    }
    return count;
  }
}
