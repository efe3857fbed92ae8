/** The track of a voyage in parts without gaps. */
import type { TrackPoint } from "../../core/voyages/lines.ts";

export function segmentsOf(points: readonly TrackPoint[]): readonly (readonly TrackPoint[])[] {
  const segments: TrackPoint[][] = [];
  for (const point of points) {
    if (point[3] === 1 || segments.length === 0) segments.push([]);
    segments.at(-1)!.push(point);
  }
  return segments;
}
