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

/** A place that is not known exactly: somewhere in a circle that grows. */
export interface Spread {
  /** Nautical miles now. */
  readonly radius: number;
  /** Knots: the speed of a ship whose course is not known. */
  readonly knots: number;
}

const EXACT: Spread = { radius: 0, knots: 0 };

/** Half of the 0.01 knots in which speeds are given: below that two ships keep their distance. */
const NO_RELATIVE_SPEED = 0.005;

/**
 * The closest approach of a target at the end of `line` from own ship; undefined when it lies in the past. Of a target
 * with a spread it is that of the nearest point of the circle.
 *
 * With r the target's place and v its velocity, both relative to own ship: tcpa = -r·v / v·v and cpa = |r × v| / |v|
 * (A. S. Lenart, "Collision Threat Parameters for a New Radar Display and Plot Technique", Journal of Navigation 36,
 * 1983). For two ships that keep their distance cpa is the range and tcpa 0.
 */
export function closestApproach(
  line: GreatCircleLine,
  own: Vector,
  target: Vector,
  spread = EXACT,
): ClosestApproach | undefined {
  const east = target.east - own.east;
  const north = target.north - own.north;
  const speed = Math.sqrt(east * east + north * north);
  const place = vector(line.bearing, line.range);
  if (spread.knots > 0 || spread.radius > 0) return ofCircle(place, { east, north }, spread);
  if (speed < NO_RELATIVE_SPEED) return { cpa: line.range, tcpa: 0 };
  const hours = -(place.east * east + place.north * north) / speed ** 2;
  if (hours < 0) return undefined;
  return { cpa: Math.abs(place.east * north - place.north * east) / speed, tcpa: hours * 60 };
}

/** Two millimetres: squares of much shorter distances are zero as numbers. */
const TOUCHING = 1e-6;

/**
 * The closest approach of a circle around a place with a velocity, both relative to own ship. The circle reaches own
 * ship when |r + v t| = radius + knots t, the first root of a quadratic equation; one that does not is nearest where
 * the distance from its edge no longer falls.
 */
function ofCircle(place: Vector, velocity: Vector, { radius, knots }: Spread): ClosestApproach | undefined {
  const squareOf = ({ east, north }: Vector): number => east * east + north * north;
  const range = Math.sqrt(squareOf(place));
  if (range <= radius + TOUCHING) return { cpa: 0, tcpa: 0 };
  const away = place.east * velocity.east + place.north * velocity.north;
  const speed = Math.sqrt(squareOf(velocity));
  const [a, b, c] = [speed ** 2 - knots ** 2, away - knots * radius, range ** 2 - radius ** 2];
  const root = b * b - a * c;
  if (root >= 0 && (b < 0 || a < 0)) return { cpa: 0, tcpa: (c / (Math.sqrt(root) - b)) * 60 };
  // As fast as own ship or faster, it is reached or draws away.
  if (a <= 0) return undefined;
  const across = Math.abs(place.east * velocity.north - place.north * velocity.east) / speed;
  const after = knots === 0 ? 0 : (knots * across) / (speed * Math.sqrt(a));
  const hours = after - away / speed ** 2;
  if (!(hours >= 0)) return undefined;
  return { cpa: Math.max(0, Math.hypot(across, speed * after) - knots * hours - radius), tcpa: hours * 60 };
}
