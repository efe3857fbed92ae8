/**
 * The track of own ship: received by this page over the last two hours, and before that from the history of the boat.
 * Pure.
 */

import { radians } from "../../../core/nav/angles.ts";
import type { Position } from "../../../core/nav/great-circle.ts";
import type { TrendPoint } from "./trend-points.ts";

export interface TrackPoint extends Position {
  /** Monotonic milliseconds. */
  readonly at: number;
}

const PERIOD_MS = 10_000;
const KEPT_MS = 2 * 3_600_000;

/** Nautical miles to the east and to the north, exact enough for the ranges of the plot. */
export function offsetFrom(from: Position, to: Position): { readonly east: number; readonly north: number } {
  const across = ((to.longitude - from.longitude + 540) % 360) - 180;
  return { east: across * 60 * Math.cos(radians(from.latitude)), north: (to.latitude - from.latitude) * 60 };
}

/** The place at an offset to the east and to the north, nautical miles. */
export const placeAt = (from: Position, east: number, north: number): Position => ({
  latitude: from.latitude + north / 60,
  longitude: ((from.longitude + east / (60 * Math.cos(radians(from.latitude))) + 540) % 360) - 180,
});

export class OwnTrack {
  #points: TrackPoint[] = [];

  hear({ latitude, longitude }: Position, at: number): void {
    const last = this.#points.at(-1);
    if (last !== undefined && at - last.at < PERIOD_MS) return;
    this.#points.push({ latitude, longitude, at });
    if (this.#points[0]!.at < at - KEPT_MS) this.#points = this.#points.filter((point) => point.at >= at - KEPT_MS);
  }

  /** Oldest first. */
  get points(): readonly TrackPoint[] {
    return this.#points;
  }

  clear(): void {
    this.#points = [];
  }
}

/** Seconds between the recorded points. */
const RECORDED_STEP_SECONDS = 60;

/**
 * The track in parts without gaps, oldest first: recorded points before the first received one, then the received
 * points. Recorded times are seconds relative to `now`, monotonic milliseconds.
 */
export function trackParts(
  latitudes: readonly TrendPoint[],
  longitudes: readonly TrendPoint[],
  heard: readonly TrackPoint[],
  now: number,
): readonly (readonly TrackPoint[])[] {
  let index = 0;
  /** Latitudes and longitudes have the same steps, and may lack some. */
  const longitudeAt = (at: number): number | null => {
    while (index < longitudes.length && longitudes[index]!.at < at - RECORDED_STEP_SECONDS / 2) index++;
    const point = longitudes[index];
    return point !== undefined && point.at < at + RECORDED_STEP_SECONDS / 2 ? point.value : null;
  };
  const begin = heard[0]?.at ?? Number.POSITIVE_INFINITY;
  const recorded = latitudes.flatMap((point): TrackPoint[] => {
    const at = now + 1000 * point.at;
    const [latitude, longitude] = [point.value, longitudeAt(point.at)];
    return latitude === null || longitude === null || at >= begin ? [] : [{ latitude, longitude, at }];
  });
  const parts: TrackPoint[][] = [];
  for (const point of [...recorded, ...heard]) {
    const last = parts.at(-1)?.at(-1);
    const isNext = last !== undefined && (last.at >= begin || point.at - last.at < 2500 * RECORDED_STEP_SECONDS);
    if (isNext) parts.at(-1)!.push(point);
    else parts.push([point]);
  }
  return parts;
}
