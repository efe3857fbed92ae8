/** Places for the texts beside the marks of a plot, so that none overwrites another. Pure. */
import type { Point } from "../chart/view.ts";

/** A mark that labels do not cover. */
export interface Mark extends Point {
  /** Pixels; absent: those of a ship. */
  readonly radius?: number;
}

export interface LabelRequest extends Mark {
  readonly id: number | string;
  readonly text: string;
}

export interface PlacedLabel extends Point {
  readonly anchor: "start" | "end";
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Pixels of a letter of 12 px, a line, and a ship around its centre. */
const LETTER_WIDTH = 9;
const LINE_HEIGHT = 15;
const SHIP = 9;

const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Offsets from a mark to the base line: below right, below left, above right, above left, right, left. */
const offsetsFrom = (radius: number) =>
  [
    { x: radius + 3, y: radius + 9, anchor: "start" },
    { x: -radius - 3, y: radius + 9, anchor: "end" },
    { x: radius + 3, y: 1 - radius, anchor: "start" },
    { x: -radius - 3, y: 1 - radius, anchor: "end" },
    { x: radius + 5, y: 4, anchor: "start" },
    { x: -radius - 5, y: 4, anchor: "end" },
  ] as const;

const boxOf = ({ x, y, anchor }: PlacedLabel, text: string): Box => {
  const width = text.length * LETTER_WIDTH;
  const left = anchor === "start" ? x : x - width;
  return { left, right: left + width, top: y - LINE_HEIGHT + 3, bottom: y + 3 };
};

/**
 * The place of each label, the most important first; a label without room has none. `view` is the box of the plot with
 * its centre at 0, 0; labels do not cover `marks`.
 */
export function placeLabels(
  requests: readonly LabelRequest[],
  marks: readonly Mark[],
  view: { readonly width: number; readonly height: number },
): ReadonlyMap<number | string, PlacedLabel> {
  const placed = new Map<number | string, PlacedLabel>();
  const taken: Box[] = marks.map(({ x, y, radius = SHIP }) => ({
    left: x - radius,
    right: x + radius,
    top: y - radius,
    bottom: y + radius,
  }));
  const isInside = ({ left, right, top, bottom }: Box): boolean =>
    left >= -view.width / 2 && right <= view.width / 2 && top >= -view.height / 2 && bottom <= view.height / 2;
  for (const { id, x, y, radius = SHIP, text } of requests) {
    for (const { anchor, ...offset } of offsetsFrom(radius)) {
      const label = { x: x + offset.x, y: y + offset.y, anchor };
      const box = boxOf(label, text);
      if (!isInside(box) || taken.some((other) => overlaps(box, other))) continue;
      placed.set(id, label);
      taken.push(box);
      break;
    }
  }
  return placed;
}
