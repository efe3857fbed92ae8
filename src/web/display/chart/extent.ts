/** The part of the world that a map of places shows at first. Pure. */
import type { Position } from "../../../core/nav/great-circle.ts";
import { offsetFrom, placeAt } from "../trend/own-track.ts";
import type { Extent } from "./view.ts";

/** Share of the map that the places take, and the largest scale, for boats in one harbour. */
const FILLED = 0.8;
const LARGEST_SCALE = 20;
/** The whole world, on a map of 1000 pixels. */
const SMALLEST_SCALE = 1000 / 21_600;

/** A middle of longitudes: the mean direction, which has no step at 180 degrees. */
function middleLongitude(places: readonly Position[]): number {
  let [east, north] = [0, 0];
  for (const { longitude } of places) {
    east += Math.sin((longitude * Math.PI) / 180);
    north += Math.cos((longitude * Math.PI) / 180);
  }
  return (Math.atan2(east, north) * 180) / Math.PI;
}

/** All places on a map of that size. */
export function extentOf(
  places: readonly Position[],
  { width, height }: { readonly width: number; readonly height: number },
): Extent {
  if (places.length === 0) return { center: { latitude: 30, longitude: 0 }, scale: SMALLEST_SCALE };
  const latitudes = places.map(({ latitude }) => latitude);
  const [south, north] = latitudes.reduce(
    ([least, most], latitude) => [Math.min(least, latitude), Math.max(most, latitude)],
    [90, -90],
  );
  const first = { latitude: (south + north) / 2, longitude: middleLongitude(places) };
  let [west, east] = [0, 0];
  for (const place of places) {
    const across = offsetFrom(first, place).east;
    west = Math.min(west, across);
    east = Math.max(east, across);
  }
  const tall = Math.max(1, (north - south) * 60);
  const scale = Math.min((FILLED * width) / Math.max(1, east - west), (FILLED * height) / tall);
  return {
    center: placeAt(first, (west + east) / 2, 0),
    scale: Math.max(SMALLEST_SCALE, Math.min(LARGEST_SCALE, scale)),
  };
}
