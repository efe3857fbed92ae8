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
/** Time in which every neighbour is heard: ships at rest send every three minutes. */
const NEIGHBOURS_HEARD_AFTER_MS = 180_000;
/** Two becalmed yachts or anglers are no harbour. */
export const HARBOUR_SHIPS = 3;

const metres = (one: Position, other: Position): number => greatCircle(one, other).range * METRES_PER_MILE;

/** A berth as it is kept: `left` when the boat has gone, and the place is only remembered. */
export interface KeptBerth extends Position {
  readonly left?: true | undefined;
}

/** A berth that the crew has given. It is in force once the boat has been there, and until she leaves it. */
export class Berth {
  #place: Position | undefined;
  #isLeft = false;
  #isReached = false;
  #awaySince: number | undefined;

  /** The place, also before the boat has been there: one that was given before a start counts from the first position. */
  get kept(): KeptBerth | undefined {
    return this.#place && { ...this.#place, left: this.#isLeft || undefined };
  }

  /** `isHere`: the boat is there, also while her position is not known. */
  give(kept: KeptBerth | undefined, isHere = false): void {
    this.#place = kept && { latitude: kept.latitude, longitude: kept.longitude };
    this.#isLeft = kept?.left ?? false;
    this.#isReached = isHere;
    this.#awaySince = undefined;
  }

  /** The boat is not there any more; the place is remembered. */
  leave(): void {
    this.give(this.#place && { ...this.#place, left: true });
  }

  /**
   * Returns whether the boat is there. Without a position she stays until her speed tells that she is under way, because
   * instruments are switched off at the berth; before the first position a berth of before a start waits.
   */
  observe(position: Position | undefined, makesWay: boolean, now: number): boolean {
    if (this.#place === undefined || this.#isLeft) return false;
    const isThere =
      position === undefined ? !makesWay || !this.#isReached : metres(this.#place, position) <= BERTH_METRES;
    if (isThere) {
      this.#awaySince = undefined;
      this.#isReached ||= position !== undefined;
    } else {
      this.#awaySince ??= now;
      if (now - this.#awaySince >= BERTH_LEFT_AFTER_MS) this.leave();
    }
    return this.#isReached;
  }

  /** Metres to a position. */
  distance(position: Position | undefined): number | undefined {
    return this.#place && position && metres(this.#place, position);
  }

  /** Whether a position is at the place, also of a berth that the boat has left, or that is not known yet. */
  isNear(position: Position): boolean {
    return this.#place === undefined || metres(this.#place, position) <= BERTH_METRES;
  }
}

/** Whether the boat has lain at a berth that is remembered since the instruments were switched on. */
export class Waking {
  /** Since when there is a position; undefined: none for long. */
  #since: number | undefined;
  #seenAt = 0;
  #hasStayed = true;

  /** `near`: how many ships without way are heard near by. Until they can be heard the boat lies among her neighbours. */
  observe(position: Position | undefined, lies: (position: Position) => boolean, near: number, now: number): boolean {
    if (this.#since !== undefined && now - this.#seenAt > PLACE_LOST_AFTER_MS) this.#since = undefined;
    if (position !== undefined) {
      if (this.#since === undefined) {
        this.#since = now;
        this.#hasStayed = true;
      }
      this.#seenAt = now;
      this.#hasStayed &&= lies(position);
    }
    if (this.#since === undefined || !this.#hasStayed) return false;
    return now - this.#since < NEIGHBOURS_HEARD_AFTER_MS || near >= HARBOUR_SHIPS;
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
