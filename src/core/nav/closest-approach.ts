/** The closest approach of two ships that keep their courses and speeds, on a flat plane around the first. */
import { radians } from "./angles.ts";
import type { GreatCircleLine } from "./great-circle.ts";

/** A velocity in knots or a distance in nautical miles. */
export interface Vector {
  readonly east: number;
  readonly north: number;
}

/** The vector of a length in a direction, degrees true. */
export const vector = (direction: number, length: number): Vector => ({
  east: length * Math.sin(radians(direction)),
  north: length * Math.cos(radians(direction)),
});

export interface ClosestApproach {
  /** Distance at the closest approach, nautical miles. */
  readonly cpa: number;
  /** Minutes until then, 0 or more. */
  readonly tcpa: number;
}

/** Half of the 0.01 knots in which speeds are given: below that two ships keep their distance. */
const NO_RELATIVE_SPEED = 0.005;

/**
 * The closest approach of a target at the end of `line` from own ship; undefined when it lies in the past.
 *
 * With r the target's place and v its velocity, both relative to own ship: tcpa = -r·v / v·v and cpa = |r × v| / |v|
 * (A. S. Lenart, "Collision Threat Parameters for a New Radar Display and Plot Technique", Journal of Navigation 36,
 * 1983). For two ships that keep their distance cpa is the range and tcpa 0.
 */
export function closestApproach(line: GreatCircleLine, own: Vector, target: Vector): ClosestApproach | undefined {
  const east = target.east - own.east;
  const north = target.north - own.north;
  const speed = Math.sqrt(east * east + north * north);
  if (speed < NO_RELATIVE_SPEED) return { cpa: line.range, tcpa: 0 };
  const place = vector(line.bearing, line.range);
  const hours = -(place.east * east + place.north * north) / speed ** 2;
  if (hours < 0) return undefined;
  return { cpa: Math.abs(place.east * north - place.north * east) / speed, tcpa: hours * 60 };
}
