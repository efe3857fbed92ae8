/**
 * Distance and direction on the sphere. Positions are degrees, north and east positive, within ±90 and ±180.
 *
 * The sphere has the mean radius of the WGS 84 ellipsoid, (2 a + b) / 3 = 6371.0088 km. Against the ellipsoid itself a distance
 * is at most 0.57 % off, the bearing of something near at most 0.2°.
 */
import { bearing, degrees, radians } from "./angles.ts";

export interface Position {
  /** Degrees, north positive, -90 to 90. */
  readonly latitude: number;
  /** Degrees, east positive, -180 to 180. */
  readonly longitude: number;
}

/** Mean radius of the Earth in nautical miles of 1852 m. */
export const EARTH_RADIUS = 6371008.8 / 1852;

/** The shortest way from one position to another. */
export interface GreatCircle {
  /** Nautical miles. */
  readonly range: number;
  /** Degrees true at the start, 0 up to but not including 360; 0 between two positions that are the same. */
  readonly bearing: number;
}

/** A position made ready for being seen from many others, or for seeing many. */
export interface Place {
  /** Radians. */
  readonly latitude: number;
  /** Degrees, of which the difference is exact. */
  readonly longitude: number;
  /** Of the latitude. */
  readonly sine: number;
  readonly cosine: number;
}

export function placeOf(position: Position): Place {
  const latitude = radians(position.latitude);
  return { latitude, longitude: position.longitude, sine: Math.sin(latitude), cosine: Math.cos(latitude) };
}

/** The way from one place to another; made once, it can be set again and again. */
export class Sight implements GreatCircle {
  range = Number.NaN;
  bearing = Number.NaN;

  /**
   * Range by the haversine formula, which stays exact at short distances (R. W. Sinnott, "Virtues of the Haversine", Sky and
   * Telescope 68, 1984); bearing by the four-part formula in the spherical triangle with the pole (W. M. Smart, "Textbook on
   * Spherical Astronomy", chapter 1), put in haversines too.
   */
  set(from: Place, to: Place): this {
    const northward = to.latitude - from.latitude;
    const eastward = radians(to.longitude - from.longitude);
    const bulge = to.cosine * Math.sin(eastward / 2) ** 2;
    const haversine = Math.sin(northward / 2) ** 2 + from.cosine * bulge;
    const east = to.cosine * Math.sin(eastward);
    // cos(from) sin(to) - sin(from) cos(to) cos(eastward), without the difference of two near numbers.
    const north = Math.sin(northward) + 2 * from.sine * bulge;
    this.range = 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(haversine)));
    this.bearing = bearing(degrees(Math.atan2(east, north)));
    return this;
  }
}

/** The shortest way between two positions. */
export const greatCircle = (from: Position, to: Position): GreatCircle => new Sight().set(placeOf(from), placeOf(to));
