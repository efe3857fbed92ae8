/** The area of a request for resources: a box of longitudes and latitudes, in degrees. */

import { degrees, radians } from "../../../core/nav/angles.ts";
import { EARTH_RADIUS, METRES_PER_MILE, type Position } from "../../../core/nav/great-circle.ts";
import { Refused } from "./refused.ts";

export interface Area {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  /** Less than `west` where the box crosses the 180th meridian. */
  readonly east: number;
}

const LEAST_DISTANCE = 100;
const HALF_EARTH = 20_100_000;

/**
 * The area that the query of the OpenAPI description asks for: `bbox`, or `distance` in metres from the edges to
 * `position` or else to the boat. Undefined without either; throws `Refused`.
 */
export function areaOf(query: URLSearchParams, boat: Position | undefined): Area | undefined {
  const bbox = query.get("bbox");
  if (bbox !== null) {
    const [west, south, east, north] = numbersIn(bbox, 4, "bbox");
    return { west: west!, east: east!, south: Math.min(south!, north!), north: Math.max(south!, north!) };
  }
  const given = query.get("distance");
  if (given === null) return undefined;
  const distance = Number(given);
  if (!(distance >= LEAST_DISTANCE && distance <= HALF_EARTH))
    throw new Refused(400, `distance is metres, at least ${LEAST_DISTANCE}.`);
  const at = query.get("position");
  const [longitude, latitude] = at === null ? [boat?.longitude, boat?.latitude] : numbersIn(at, 2, "position");
  if (longitude === undefined || latitude === undefined || Math.abs(latitude) > 90)
    throw new Refused(400, "The position of the boat is not known: give a position.");
  return around({ latitude, longitude }, distance / METRES_PER_MILE);
}

/** Half the width in degrees of a circle of a radius in degrees, between its meridians (J. P. Matuschek's formula). */
const wideAt = (latitude: number, radius: number): number =>
  degrees(Math.asin(Math.min(1, Math.sin(radians(radius)) / Math.cos(radians(latitude)))));

/** The box whose edges are a distance in miles from a position; around a pole it has all longitudes. */
function around({ latitude, longitude }: Position, miles: number): Area {
  const high = degrees(miles / EARTH_RADIUS);
  const [south, north] = [latitude - high, latitude + high];
  const wide = Math.max(Math.abs(south), Math.abs(north)) >= 90 ? 180 : wideAt(latitude, high);
  if (wide >= 180) return { south, north, west: -180, east: 180 };
  return { south, north, west: wrapped(longitude - wide), east: wrapped(longitude + wide) };
}

const wrapped = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180;

/** A list as clients write it: `1,2` or `[1,2]`. */
function numbersIn(text: string, count: number, name: string): readonly number[] {
  const parts = text.replace(/^\[(.*)\]$/, "$1").split(",");
  const numbers = parts.map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  if (numbers.length === count && numbers.every((number) => Math.abs(number) <= 180)) return numbers;
  throw new Refused(400, `${name} is ${count} numbers between -180 and 180.`);
}

/**
 * Whether the box around coordinates, each longitude and latitude, meets the area: no line across it is missed. Lines go
 * the shorter way round, so that the box of a route over the 180th meridian is no belt around the earth.
 */
export function meets({ south, north, west, east }: Area, coordinates: Iterable<readonly number[]>): boolean {
  let [minX, maxX, minY, maxY] = [Infinity, -Infinity, Infinity, -Infinity];
  let before: number | undefined;
  for (const [x, y] of coordinates) {
    const unrolled: number = before === undefined ? x! : before + wrapped(x! - before);
    before = unrolled;
    minX = Math.min(minX, unrolled);
    maxX = Math.max(maxX, unrolled);
    minY = Math.min(minY, y!);
    maxY = Math.max(maxY, y!);
  }
  if (maxY < south || minY > north || minX > maxX) return false;
  // The first turn in which the box does not end west of the area.
  const turn = 360 * Math.ceil((west - maxX) / 360);
  return minX + turn <= (west <= east ? east : east + 360);
}
