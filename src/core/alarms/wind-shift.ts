/**
 * The change of the true wind's direction: its mean over a minute minus that over twenty. Times are monotonic
 * milliseconds.
 */
import { degrees, radians } from "../nav/angles.ts";

const FAST_MS = 60_000;
const SLOW_MS = 1_200_000;
/** After a pause of this length the means begin anew. */
const MAX_GAP_MS = 300_000;

interface Vector {
  east: number;
  north: number;
}

export class WindShift {
  readonly #fast: Vector = { east: 0, north: 0 };
  readonly #slow: Vector = { east: 0, north: 0 };
  #began = 0;
  #last = Number.NEGATIVE_INFINITY;

  /** Degrees, above zero to the right; undefined before twenty minutes of wind. */
  observe(direction: number | null | undefined, now: number): number | undefined {
    if (direction == null) return undefined;
    const [east, north] = [Math.sin(radians(direction)), Math.cos(radians(direction))];
    const elapsed = now - this.#last;
    this.#last = now;
    const isNew = elapsed > MAX_GAP_MS;
    if (isNew) this.#began = now;
    for (const [mean, time] of [
      [this.#fast, FAST_MS],
      [this.#slow, SLOW_MS],
    ] as const) {
      const gain = isNew ? 1 : 1 - Math.exp(-elapsed / time);
      mean.east += (east - mean.east) * gain;
      mean.north += (north - mean.north) * gain;
    }
    if (now - this.#began < SLOW_MS) return undefined;
    const { east: e1, north: n1 } = this.#slow;
    const { east: e2, north: n2 } = this.#fast;
    return degrees(Math.atan2(e2 * n1 - n2 * e1, n1 * n2 + e1 * e2));
  }
}
