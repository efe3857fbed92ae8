/**
 * True wind: computed from the apparent wind, or measured and converted to the references of the report. Speeds in
 * knots, angles in degrees; vectors point to the direction from which the wind blows. Unknown values are undefined, and
 * so are values computed from them.
 */
import { bearing, degrees, radians, relative } from "./angles.ts";

export interface ApparentWind {
  readonly speed: number | undefined;
  /** Off the bow, starboard positive. */
  readonly angle: number | undefined;
}

export interface TrueWind {
  readonly speed: number | undefined;
  /** Off the bow, starboard positive. */
  readonly angle: number | undefined;
  /** Direction from which it blows, degrees true. */
  readonly direction: number | undefined;
}

/** Heading and motion of the boat, if known. */
export interface Motion {
  readonly headingTrue: number | undefined;
  readonly headingMagnetic: number | undefined;
  /** East positive. */
  readonly variation: number | undefined;
  readonly speedThroughWater: number | undefined;
  /** Positive to starboard. */
  readonly leeway: number | undefined;
}

const NO_WIND: TrueWind = { speed: undefined, angle: undefined, direction: undefined };

/** Speed in knots below which the direction of the wind is noise. */
const CALM = 0.05;

const sum = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a + b;
const difference = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a - b;
const bearingOf = (angle: number | undefined): number | undefined => (angle === undefined ? undefined : bearing(angle));
const relativeOf = (angle: number | undefined): number | undefined =>
  angle === undefined ? undefined : relative(angle);

/**
 * True wind over the water: the apparent wind less the head wind of the boat's own motion. On axes ahead and to
 * starboard the boat moves along (cos leeway, sin leeway), the direction of its head wind.
 */
export function computedTrueWind(apparent: ApparentWind, motion: Motion): TrueWind {
  const { speedThroughWater, headingTrue, leeway = 0 } = motion;
  if (apparent.speed === undefined || apparent.angle === undefined || speedThroughWater === undefined) return NO_WIND;
  const ahead = apparent.speed * Math.cos(radians(apparent.angle)) - speedThroughWater * Math.cos(radians(leeway));
  const starboard = apparent.speed * Math.sin(radians(apparent.angle)) - speedThroughWater * Math.sin(radians(leeway));
  const speed = Math.hypot(ahead, starboard);
  if (speed < CALM) return { ...NO_WIND, speed };
  const angle = relative(degrees(Math.atan2(starboard, ahead)));
  return { speed, angle, direction: bearingOf(sum(headingTrue, angle)) };
}

/** Reference of the angle of a measured wind, by the code of PGN 130306. */
const TRUE_NORTH = 0;
const MAGNETIC_NORTH = 1;
export const APPARENT = 2;
export const BOAT_OVER_GROUND = 3;
export const BOAT_OVER_WATER = 4;

/** A measured true wind, whose angle is counted from `reference`, in the references of the report. */
export function measuredTrueWind(reference: number, { speed, angle }: ApparentWind, motion: Motion): TrueWind {
  const { headingTrue, headingMagnetic, variation } = motion;
  switch (reference) {
    case TRUE_NORTH:
      return { speed, angle: relativeOf(difference(angle, headingTrue)), direction: bearingOf(angle) };
    case MAGNETIC_NORTH:
      return {
        speed,
        angle: relativeOf(difference(angle, headingMagnetic)),
        direction: bearingOf(sum(angle, variation)),
      };
    default:
      return { speed, angle: relativeOf(angle), direction: bearingOf(sum(angle, headingTrue)) };
  }
}
