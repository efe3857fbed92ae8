/**
 * A position that stands still while the boat makes way, as a receiver sends it that has failed without noticing. Times
 * are monotonic milliseconds.
 */
import { greatCircle, type Position } from "../nav/great-circle.ts";

/** Receivers at rest report some tenths of a knot, and a current runs past the log of a boat at her mooring. */
const LEAST_OVER_GROUND = 2;
const LEAST_THROUGH_WATER = 5;
/** Part of the way that the boat makes at least from where she was, also in circles. */
const LEAST_PART = 0.1;
/** The wander of the position of a receiver at rest, nautical miles. */
const WANDER_MILES = 0.005;
const HOUR_MS = 3_600_000;

export interface Run {
  /** Nautical miles that the boat has run by her speed while the position stood still. */
  readonly miles: number;
  readonly by: "speed over ground" | "speed through water";
}

export class Standstill {
  #place: Position | undefined;
  #by: Run["by"] | undefined;
  #miles = 0;
  #last = 0;

  /** Undefined without a position or a speed. */
  observe(
    position: Position | undefined,
    { sog, throughWater }: { readonly sog: number | null | undefined; readonly throughWater: number | undefined },
    now: number,
  ): Run | undefined {
    const isOverGround = (sog ?? 0) >= LEAST_OVER_GROUND;
    const by = isOverGround ? "speed over ground" : "speed through water";
    const knots = isOverGround
      ? sog!
      : throughWater !== undefined && throughWater >= LEAST_THROUGH_WATER
        ? throughWater
        : 0;
    const hours = (now - this.#last) / HOUR_MS;
    this.#last = now;
    if (position === undefined || (sog == null && throughWater === undefined)) {
      this.#place = undefined;
      return undefined;
    }
    const moved = this.#place === undefined ? Number.POSITIVE_INFINITY : greatCircle(this.#place, position).range;
    // A receiver of a boat that lies in a current wanders; one that has failed does not.
    const allowed = isOverGround ? Math.max(WANDER_MILES, this.#miles * LEAST_PART) : 0;
    if (moved > allowed || by !== this.#by || knots === 0) {
      this.#place = position;
      this.#by = by;
      this.#miles = 0;
    } else this.#miles += knots * hours;
    return { miles: this.#miles, by };
  }
}
