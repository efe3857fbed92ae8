/**
 * Distance and direction on the sphere. Positions are degrees, north and east positive, within ±90 and ±180.
 *
 * The sphere has the mean radius of the WGS 84 ellipsoid, (2 a + b) / 3 = 6371.0088 km. Compared with the ellipsoid
 * itself, a distance is wrong by at most 0.57 %, the bearing of a near place by at most 0.2°.
 */
import { bearing, degrees, radians } from "./angles.ts";

export interface Position {
  /** Degrees, north positive, -90 to 90. */
  readonly latitude: number;
  /** Degrees, east positive, -180 to 180. */
  readonly longitude: number;
}

/** The position in a message or report, which may lack a coordinate. */
export const positionIn = ({ latitude, longitude }: { readonly [Name in keyof Position]?: number | undefined }) =>
  latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };

export const METRES_PER_MILE = 1852;
/** Mean radius of the Earth in nautical miles. */
export const EARTH_RADIUS = 6371008.8 / METRES_PER_MILE;

/** The shortest line from one position to another. */
export interface GreatCircleLine {
  /** Nautical miles. */
  readonly range: number;
  /** Degrees true at the start, 0 up to but not including 360; 0 between equal positions. */
  readonly bearing: number;
}

/**
 * The shortest line between two positions. Range by the haversine formula, which stays exact at short distances (R. W.
 * Sinnott, "Virtues of the Haversine", Sky and Telescope 68, 1984); bearing by the four-part formula in the spherical
 * triangle with the pole (W. M. Smart, "Textbook on Spherical Astronomy", chapter 1), also written with haversines.
 *
 * @example greatCircle({ latitude: 52, longitude: 4 }, { latitude: 53, longitude: 4 }) // { range: 60.04, bearing: 0 }
 */
export const greatCircle = (from: Position, to: Position): GreatCircleLine => greatCirclesFrom(from)(to);

/** The shortest lines from one position to others. */
export function greatCirclesFrom(from: Position): (to: Position) => GreatCircleLine {
  const fromLatitude = radians(from.latitude);
  const fromSine = Math.sin(fromLatitude);
  const fromCosine = Math.cos(fromLatitude);

  return (to) => {
    const toLatitude = radians(to.latitude);
    const toCosine = Math.cos(toLatitude);
    const northward = toLatitude - fromLatitude;
    const eastward = radians(to.longitude - from.longitude);
    const bulge = toCosine * Math.sin(eastward / 2) ** 2;
    const haversine = Math.sin(northward / 2) ** 2 + fromCosine * bulge;
    const east = toCosine * Math.sin(eastward);
    // cos(from) sin(to) - sin(from) cos(to) cos(eastward), without the difference of two nearly equal numbers.
    const north = Math.sin(northward) + 2 * fromSine * bulge;
    return {
      range: 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(haversine))),
      bearing: bearing(degrees(Math.atan2(east, north))),
    };
  };
}
