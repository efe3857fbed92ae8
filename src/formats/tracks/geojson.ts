/** A track as a MultiLineString of GeoJSON (RFC 7946), with fewer points than the track has. */
import type { TrackPoint } from "../../core/voyages/lines.ts";
import { segmentsOf } from "./segments.ts";

/** Longitude and latitude, degrees. */
type Place = readonly [longitude: number, latitude: number];

/** `resolution`: the least time between two points, milliseconds; the first and the last of each segment stay. */
export function lineStrings(points: readonly TrackPoint[], resolution: number): readonly Place[][] {
  return segmentsOf(points).flatMap((segment) => {
    let last = Number.NEGATIVE_INFINITY;
    const kept = segment.filter(([time], at) => {
      const isKept = time - last >= resolution || at === segment.length - 1;
      if (isKept) last = time;
      return isKept;
    });
    return kept.length < 2 ? [] : cutAtMeridian(kept.map(([, latitude, longitude]) => [longitude, latitude]));
  });
}

/** A line in parts that do not cross the 180th meridian (RFC 7946, 3.1.9): others are drawn around the whole earth. */
function cutAtMeridian(places: readonly Place[]): Place[][] {
  const parts: Place[][] = [[]];
  let before = places[0]!;
  for (const place of places) {
    if (Math.abs(place[0] - before[0]) > 180) {
      const side = before[0] > 0 ? 180 : -180;
      const share = (side - before[0]) / (place[0] + 2 * side - before[0]);
      const latitude = share > 0 ? before[1] + share * (place[1] - before[1]) : before[1];
      if (share > 0) parts.at(-1)!.push([side, latitude]);
      parts.push([]);
      if (share < 1) parts.at(-1)!.push([-side, latitude]);
    }
    parts.at(-1)!.push(place);
    before = place;
  }
  return parts.filter(({ length }) => length > 1);
}
