/** A closed way over the plane: straight legs from corner to corner, the corners rounded off as a ship rounds them. */
import { directionOf, full, half, lengthOf, minus, plus, polar, radians, type Vector } from "./plane.ts";
import { wrap } from "./waves.ts";

export interface TrackPoint {
  readonly place: Vector;
  /** Degrees from north. */
  readonly course: number;
  /** Which leg this is: from corner `leg` to the next. A rounded corner belongs to the leg behind it. */
  readonly leg: number;
}

export interface Track {
  /** Metres once around. */
  readonly length: number;
  readonly corners: readonly Vector[];
  /** The point that lies `way` metres behind the beginning of the first straight, around and around. */
  at(way: number): TrackPoint;
}

/** A straight, or with a `radius` the arc of a circle: positive to starboard. */
interface Piece {
  readonly start: number;
  readonly length: number;
  readonly from: Vector;
  readonly course: number;
  readonly radius?: number;
  readonly leg: number;
}

function along({ from, course, radius, leg }: Piece, way: number): TrackPoint {
  if (radius === undefined) return { place: plus(from, polar(way, course)), course, leg };
  const turned = ((way / radius) * 180) / Math.PI;
  const centre = plus(from, polar(radius, course + 90));
  return { place: plus(centre, polar(-radius, course + turned + 90)), course: full(course + turned), leg };
}

/** The track through `corners`, each rounded with `radius` metres; the legs have to be long enough for that. */
export function closedTrack(corners: readonly Vector[], radius: number): Track {
  const corner = (index: number): Vector => corners[index % corners.length]!;
  const courseFrom = (index: number): number => directionOf(minus(corner(index + 1), corner(index)));
  const turnAt = (index: number): number => half(courseFrom(index) - courseFrom(index + corners.length - 1));
  /** How far before a corner its arc begins. */
  const cutAt = (index: number): number => radius * Math.tan(radians(Math.abs(turnAt(index)) / 2));

  const pieces: Piece[] = [];
  let length = 0;
  corners.forEach((from, leg) => {
    const course = courseFrom(leg);
    const straight = lengthOf(minus(corner(leg + 1), from)) - cutAt(leg) - cutAt(leg + 1);
    if (straight < 0) throw new RangeError(`leg ${leg} is too short for corners of ${radius} m`);
    pieces.push({ start: length, length: straight, from: plus(from, polar(cutAt(leg), course)), course, leg });
    length += straight;
    const turn = turnAt(leg + 1);
    const arc = radius * radians(Math.abs(turn));
    pieces.push({
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
    at(way) {
      const into = wrap(way, length);
      const piece = pieces.findLast(({ start }) => start <= into)!;
      return along(piece, into - piece.start);
    },
  };
}
