/**
 * How two ships will pass: their places moved on to the moment of the evaluation by their courses and speeds, on the
 * plane of `closest-approach.ts`. A ship with a speed and no course is a circle that grows.
 */
import { bearing, degrees } from "./angles.ts";
import { type ClosestApproach, closestApproach, type Vector, vector } from "./closest-approach.ts";
import { type GreatCircleLine, greatCirclesFrom, type Position } from "./great-circle.ts";

/** Speed below which a receiver at rest gives any course, or none. */
const AT_REST_KNOTS = 0.5;
const AT_REST: Vector = { east: 0, north: 0 };
const HOUR_MS = 3_600_000;

export interface Mover {
  /** The place at its last position. */
  readonly place: Position;
  readonly ageMs: number;
  readonly velocity: Vector;
  /** Speed in a direction that is not known, knots. */
  readonly knots: number;
}

interface Motion {
  readonly cog?: number | null | undefined;
  readonly sog: number;
}

/** A ship by her last position and motion. */
export function moverOf(place: Position, { cog, sog }: Motion, ageMs: number): Mover {
  if (sog < AT_REST_KNOTS) return { place, ageMs, velocity: AT_REST, knots: 0 };
  return cog == null
    ? { place, ageMs, velocity: AT_REST, knots: sog }
    : { place, ageMs, velocity: vector(cog, sog), knots: 0 };
}

export interface Encounter {
  /** From own ship to the target now. */
  readonly line: GreatCircleLine;
  /** Undefined when it has passed. */
  readonly closest: ClosestApproach | undefined;
  /** Knots, between places whose directions are known. */
  readonly relativeSpeed: number;
}

/** The encounters of own ship with others. */
export function encountersOf(own: Mover): (target: Mover) => Encounter {
  const lineTo = greatCirclesFrom(own.place);
  const ownHours = own.ageMs / HOUR_MS;

  return (target) => {
    const hours = target.ageMs / HOUR_MS;
    const { range, bearing: direction } = lineTo(target.place);
    const place = vector(direction, range);
    const east = place.east + target.velocity.east * hours - own.velocity.east * ownHours;
    const north = place.north + target.velocity.north * hours - own.velocity.north * ownHours;
    const line = { range: Math.hypot(east, north), bearing: bearing(degrees(Math.atan2(east, north))) };
    const spread = { radius: target.knots * hours + own.knots * ownHours, knots: target.knots + own.knots };
    return {
      line,
      closest: closestApproach(line, own.velocity, target.velocity, spread),
      relativeSpeed: Math.hypot(target.velocity.east - own.velocity.east, target.velocity.north - own.velocity.north),
    };
  };
}
