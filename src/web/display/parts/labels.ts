/** Places for the names of ships on the plot, so that none overwrites another. Pure. */
import type { Point } from "../chart/view.ts";

export interface LabelRequest extends Point {
  readonly id: number;
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

/** Pixels of a letter of 12 px, a line, and a symbol around its centre. */
const LETTER_WIDTH = 9;
const LINE_HEIGHT = 15;
const SYMBOL = 9;

const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Offsets from the symbol to the base line: below right, below left, above right, above left, right, left. */
const offsets = [
  { x: 12, y: 18, anchor: "start" },
  { x: -12, y: 18, anchor: "end" },
  { x: 12, y: -8, anchor: "start" },
  { x: -12, y: -8, anchor: "end" },
  { x: 14, y: 4, anchor: "start" },
  { x: -14, y: 4, anchor: "end" },
] as const;

const boxOf = ({ x, y, anchor }: PlacedLabel, text: string): Box => {
  const width = text.length * LETTER_WIDTH;
  const left = anchor === "start" ? x : x - width;
  return { left, right: left + width, top: y - LINE_HEIGHT + 3, bottom: y + 3 };
};

/**
 * The place of each label, the most important first; a label without room has none. `view` is the box of the plot with
 * its centre at 0, 0; labels do not cover `symbols`.
 */
export function placeLabels(
  requests: readonly LabelRequest[],
  symbols: readonly Point[],
  view: { readonly width: number; readonly height: number },
): ReadonlyMap<number, PlacedLabel> {
  const placed = new Map<number, PlacedLabel>();
  const taken: Box[] = symbols.map(({ x, y }) => ({
    left: x - SYMBOL,
    right: x + SYMBOL,
    top: y - SYMBOL,
    bottom: y + SYMBOL,
  }));
  const isInside = ({ left, right, top, bottom }: Box): boolean =>
    left >= -view.width / 2 && right <= view.width / 2 && top >= -view.height / 2 && bottom <= view.height / 2;
  for (const { id, x, y, text } of requests) {
    for (const { anchor, ...offset } of offsets) {
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
