/** Marks of a plot that would cover one another share one. Pure. */
import type { Point } from "../chart/view.ts";

interface SharedMark<Of extends Point> extends Point {
  /** The places that it marks, in the order in which they were given. */
  readonly of: readonly Of[];
}

/** In the middle of what it marks. */
function markOf<Of extends Point>(of: readonly Of[]): SharedMark<Of> {
  const middle = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / of.length;
  return { of, x: middle(of.map(({ x }) => x)), y: middle(of.map(({ y }) => y)) };
}

/** The marks of these places, by the width of a mark of several and the height of all, in pixels. */
export function sharedMarks<Of extends Point>(
  places: readonly Of[],
  widthOf: (count: number) => number,
  height: number,
): readonly SharedMark<Of>[] {
  const marks: SharedMark<Of>[] = [];
  const covers = (a: SharedMark<Of>, b: SharedMark<Of>): boolean =>
    Math.abs(a.y - b.y) < height && Math.abs(a.x - b.x) < (widthOf(a.of.length) + widthOf(b.of.length)) / 2;
  for (const place of places) {
    let mark = markOf([place]);
    // A mark that has grown may cover a further one.
    for (let at = 0; at >= 0; ) {
      at = marks.findIndex((other) => covers(other, mark));
      if (at >= 0) mark = markOf([...marks.splice(at, 1)[0]!.of, ...mark.of]);
    }
    marks.push(mark);
  }
  return marks;
}
