/** A closed track on the plane: straight legs with rounded corners. */
import { directionOf, full, half, lengthOf, minus, plus, polar, radians, type Vector } from "./plane.ts";
import { wrap } from "./waves.ts";

export interface TrackPoint {
  readonly place: Vector;
  /** Degrees from north. */
  readonly course: number;
  /** Index of the leg, from corner `leg` to the next. A rounded corner belongs to the leg after it. */
  readonly leg: number;
}

export interface Track {
  /** Length of one round, metres. */
  readonly length: number;
  readonly corners: readonly Vector[];
  /** The point `distance` metres from the start of the first leg; longer distances begin another round. */
  at(distance: number): TrackPoint;
}

/** A straight segment, or with a `radius` an arc; a positive radius turns to starboard. */
interface Segment {
  readonly start: number;
  readonly length: number;
  readonly from: Vector;
  readonly course: number;
  readonly radius?: number;
  readonly leg: number;
}

function along({ from, course, radius, leg }: Segment, distance: number): TrackPoint {
  if (radius === undefined) return { place: plus(from, polar(distance, course)), course, leg };
  const turned = ((distance / radius) * 180) / Math.PI;
  const centre = plus(from, polar(radius, course + 90));
  return { place: plus(centre, polar(-radius, course + turned + 90)), course: full(course + turned), leg };
}

/**
 * The track through `corners`, each rounded by an arc of `radius` metres. Throws a RangeError for a leg too short for
 * that.
 */
export function closedTrack(corners: readonly Vector[], radius: number): Track {
  const corner = (index: number): Vector => corners[index % corners.length]!;
  const courseFrom = (index: number): number => directionOf(minus(corner(index + 1), corner(index)));
  const turnAt = (index: number): number => half(courseFrom(index) - courseFrom(index + corners.length - 1));
  /** Metres from a corner to the start of its arc. */
  const cutAt = (index: number): number => radius * Math.tan(radians(Math.abs(turnAt(index)) / 2));

  const segments: Segment[] = [];
  let length = 0;
  corners.forEach((from, leg) => {
    const course = courseFrom(leg);
    const straight = lengthOf(minus(corner(leg + 1), from)) - cutAt(leg) - cutAt(leg + 1);
    if (straight < 0) throw new RangeError(`leg ${leg} is too short for corners of ${radius} m`);
    segments.push({ start: length, length: straight, from: plus(from, polar(cutAt(leg), course)), course, leg });
    length += straight;
    const turn = turnAt(leg + 1);
    const arc = radius * radians(Math.abs(turn));
    segments.push({
      start: length,
      length: arc,
      from: plus(corner(leg + 1), polar(-cutAt(leg + 1), course)),
      course,
      radius: Math.sign(turn) * radius,
      leg: (leg + 1) % corners.length,
    });
    length += arc;
  });

  return {
    length,
    corners,
    at(distance) {
      const into = wrap(distance, length);
      const segment = segments.findLast(({ start }) => start <= into)!;
      return along(segment, into - segment.start);
    },
  };
}
