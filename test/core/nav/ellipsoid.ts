/** The ellipsoid WGS 84 as a second opinion: geodesics by Karney's algorithms (GeographicLib), in the units of hub. */
import geographiclib from "geographiclib-geodesic";
import type { GreatCircleLine, Position } from "../../../src/core/nav/great-circle.ts";

const { WGS84 } = geographiclib.Geodesic;

const METRES = 1852;

/** The shortest way between two positions, nautical miles and degrees true from 0 up to 360. */
export function geodesic(from: Position, to: Position): GreatCircleLine {
  const { s12, azi1 } = WGS84.Inverse(from.latitude, from.longitude, to.latitude, to.longitude);
  return { range: s12! / METRES, bearing: (azi1! + 360) % 360 };
}

/** The place some nautical miles straight ahead in a direction. */
export function moved({ latitude, longitude }: Position, direction: number, miles: number): Position {
  const { lat2, lon2 } = WGS84.Direct(latitude, longitude, direction, miles * METRES);
  return { latitude: lat2!, longitude: lon2! };
}
