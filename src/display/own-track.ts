/** The way of own ship over the last two hours. Pure. */

export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

interface TrackPoint extends Coordinates {
  /** Monotonic milliseconds. */
  readonly at: number;
}

const PERIOD_MS = 10_000;
const KEPT_MS = 2 * 3_600_000;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Nautical miles to the east and to the north; good for the ranges of the plot. */
export function offsetFrom(from: Coordinates, to: Coordinates): { readonly east: number; readonly north: number } {
  const across = ((to.longitude - from.longitude + 540) % 360) - 180;
  return { east: across * 60 * Math.cos(radians(from.latitude)), north: (to.latitude - from.latitude) * 60 };
}

export class OwnTrack {
  #points: TrackPoint[] = [];

  hear({ latitude, longitude }: Coordinates, at: number): void {
    const last = this.#points.at(-1);
    if (last !== undefined && at - last.at < PERIOD_MS) return;
    this.#points.push({ latitude, longitude, at });
    if (this.#points[0]!.at < at - KEPT_MS) this.#points = this.#points.filter((point) => point.at >= at - KEPT_MS);
  }

  /** Oldest first. */
  get points(): readonly Coordinates[] {
    return this.#points;
  }

  clear(): void {
    this.#points = [];
  }
}
