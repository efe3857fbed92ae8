/** A track as a MultiLineString of GeoJSON (RFC 7946), with fewer points than the track has. */
import type { TrackPoint } from "../../core/voyages/lines.ts";
import { segmentsOf } from "./segments.ts";

/** `resolution`: the least time between two points, milliseconds; the first and the last of each segment stay. */
export function lineStrings(points: readonly TrackPoint[], resolution: number): readonly (readonly number[])[][] {
  return segmentsOf(points).flatMap((segment) => {
    let last = Number.NEGATIVE_INFINITY;
    const kept = segment.filter(([time], at) => {
      const isKept = time - last >= resolution || at === segment.length - 1;
      if (isKept) last = time;
      return isKept;
    });
    return kept.length < 2 ? [] : [kept.map(([, latitude, longitude]) => [longitude, latitude])];
  });
}
