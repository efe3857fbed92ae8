/**
 * The sea around the boat as a plane, metres north and east of a point in the southern North Sea. Over the few miles of
 * the voyage its error is below that of a GNSS receiver.
 */
import { wrap } from "./waves.ts";

/** A place, or a velocity in metres per second. */
export interface Vector {
  readonly north: number;
  readonly east: number;
}

export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

export const ORIGIN: Coordinates = { latitude: 53.305, longitude: 3.62 };

/** A minute of latitude is a nautical mile. */
const METRES_PER_DEGREE = 60 * 1852;
const METRES_PER_DEGREE_EAST = METRES_PER_DEGREE * Math.cos((ORIGIN.latitude * Math.PI) / 180);

export const toCoordinates = ({ north, east }: Vector): Coordinates => ({
  latitude: ORIGIN.latitude + north / METRES_PER_DEGREE,
  longitude: ORIGIN.longitude + east / METRES_PER_DEGREE_EAST,
});

export const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** An angle of 0 to below 360. */
export const full = (degrees: number): number => wrap(degrees, 360);

/** An angle above -180 to 180. */
export const half = (degrees: number): number => 180 - wrap(180 - degrees, 360);

export const polar = (length: number, degrees: number): Vector => ({
  north: length * Math.cos(radians(degrees)),
  east: length * Math.sin(radians(degrees)),
});
export const plus = (a: Vector, b: Vector): Vector => ({ north: a.north + b.north, east: a.east + b.east });
export const minus = (a: Vector, b: Vector): Vector => ({ north: a.north - b.north, east: a.east - b.east });
export const lengthOf = ({ north, east }: Vector): number => Math.hypot(north, east);

/** Direction of a vector, 0 to below 360 degrees from north. */
export const directionOf = ({ north, east }: Vector): number => full((Math.atan2(east, north) * 180) / Math.PI);
