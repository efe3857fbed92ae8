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
    return kept.length < 2 ? [] : cutAtDateLine(kept.map(([, latitude, longitude]) => [longitude, latitude]));
  });
}

/** The line in parts that do not cross the date line (section 3.1.9), which maps would draw around the world. */
function cutAtDateLine(line: readonly Place[]): readonly Place[][] {
  const parts: Place[][] = [[]];
  for (const [at, place] of line.entries()) {
    const [longitude, latitude] = place;
    const [before, latitudeBefore] = line[at - 1] ?? place;
    if (Math.abs(longitude - before) > 180) {
      const side = Math.sign(before) * 180;
      const [left, right] = [180 - Math.abs(before), 180 - Math.abs(longitude)];
      const crossing = latitudeBefore + ((latitude - latitudeBefore) * left) / (left + right || 1);
      parts.at(-1)!.push([side, crossing]);
      parts.push([[-side, crossing]]);
    }
    parts.at(-1)!.push(place);
  }
  return parts;
}
