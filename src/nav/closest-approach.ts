/** When and how near two ships pass if both keep course and speed, on a flat plane around the first. */
import { radians } from "./angles.ts";
import type { GreatCircle } from "./great-circle.ts";

/** A course in degrees true and a speed in knots, both over ground. */
export interface Motion {
  readonly cog: number;
  readonly sog: number;
}

/** A motion, or a place seen from own ship, in parts. */
export interface Vector {
  readonly east: number;
  readonly north: number;
}

/** So far in a direction, degrees true. */
export const vector = (direction: number, length: number): Vector => ({
  east: length * Math.sin(radians(direction)),
  north: length * Math.cos(radians(direction)),
});

/** Knots. */
export const velocityOf = ({ cog, sog }: Motion): Vector => vector(cog, sog);

export interface ClosestApproach {
  /** Distance at that moment, nautical miles. */
  readonly cpa: number;
  /** Minutes until then, 0 or more. */
  readonly tcpa: number;
}

/** Half of the 0.01 knots in which speeds are given: slower than that two ships keep their distance. */
const NO_RELATIVE_SPEED = 0.005;

/**
 * The closest approach of a target seen at `sight` from own ship, by the velocities of both; undefined when it lies behind.
 *
 * With r the target's place and v its velocity, both relative to own ship: tcpa = -r·v / v·v and cpa = |r × v| / |v|
 * (A. S. Lenart, "Collision Threat Parameters for a New Radar Display and Plot Technique", Journal of Navigation 36, 1983).
 * Two ships that keep their distance are as close as they get: cpa is the range and tcpa 0.
 */
export function closestApproach(sight: GreatCircle, own: Vector, target: Vector): ClosestApproach | undefined {
  const east = target.east - own.east;
  const north = target.north - own.north;
  const speed = Math.sqrt(east * east + north * north);
  if (speed < NO_RELATIVE_SPEED) return { cpa: sight.range, tcpa: 0 };
  const place = vector(sight.bearing, sight.range);
  const hours = -(place.east * east + place.north * north) / speed ** 2;
  if (hours < 0) return undefined;
  return { cpa: Math.abs(place.east * north - place.north * east) / speed, tcpa: hours * 60 };
}
