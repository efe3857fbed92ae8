/**
 * The way to a waypoint, computed on the sphere of `great-circle.ts`. Distances are nautical miles, directions degrees
 * true, speeds knots, times hours.
 */
import { bearing, radians } from "./angles.ts";
import { EARTH_RADIUS, greatCircle, type Position } from "./great-circle.ts";

export interface LegOptions {
  /** Start of the leg; without it there is no track to be beside. */
  readonly from?: Position | undefined;
  readonly to: Position;
  /** Where the boat is. */
  readonly position: Position;
  /** Course and speed over ground. */
  readonly cog?: number | null | undefined;
  readonly sog?: number | null | undefined;
}

export interface LegValues {
  /** From the boat to the waypoint. */
  readonly distance: number;
  readonly bearing: number;
  /** Direction of the leg at its start. */
  readonly track?: number;
  /** Distance from the track, positive to the right of it: steer left. */
  readonly crossTrack?: number;
  /** From the start of the leg to the boat. */
  readonly fromStart?: number;
  /** Whether the boat is beyond the perpendicular of the leg at the waypoint. */
  readonly isPassed: boolean;
  /** Speed towards the waypoint. */
  readonly velocityMadeGood?: number;
  /** Distance divided by that speed; absent if it is below `LEAST_SPEED`. */
  readonly timeToGo?: number;
}

/** Slower than this the time to go is no forecast: 0.1 m/s in knots. */
const LEAST_SPEED = (0.1 * 3600) / 1852;

/** Shorter than this a leg has no direction: one metre. */
const LEAST_LEG = 1 / 1852;

/** The values of the way from the boat to the waypoint of a leg. */
export function legValues({ from, to, position, cog, sog }: LegOptions): LegValues {
  const ahead = greatCircle(position, to);
  const speed = cog == null || sog == null ? undefined : sog * Math.cos(radians(ahead.bearing - cog));
  return {
    distance: ahead.range,
    bearing: ahead.bearing,
    isPassed: false,
    ...(from !== undefined && besideTrack(from, to, position)),
    ...(speed !== undefined && { velocityMadeGood: speed }),
    ...(speed !== undefined && speed >= LEAST_SPEED && { timeToGo: ahead.range / speed }),
  };
}

/**
 * The boat beside the great circle of a leg, by Napier's rules for the right-angled spherical triangle of start, boat
 * and the nearest point of the track (W. M. Smart, "Textbook on Spherical Astronomy", chapter 1):
 * sin(across) = sin(distance) sin(angle), tan(along) = tan(distance) cos(angle).
 */
function besideTrack(from: Position, to: Position, position: Position) {
  const leg = greatCircle(from, to);
  const { range: fromStart, bearing: direction } = greatCircle(from, position);
  if (leg.range < LEAST_LEG) return { fromStart };
  const distance = fromStart / EARTH_RADIUS;
  const angle = radians(direction - leg.bearing);
  const across = Math.asin(Math.sin(distance) * Math.sin(angle));
  const along = Math.atan2(Math.sin(distance) * Math.cos(angle), Math.cos(distance));
  return {
    track: bearing(leg.bearing),
    crossTrack: across * EARTH_RADIUS,
    fromStart,
    isPassed: along * EARTH_RADIUS >= leg.range,
  };
}
