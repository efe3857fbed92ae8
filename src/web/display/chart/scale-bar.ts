/** The scale and the north of a map, drawn with it, so that they are on paper too. */
import { convert, scaleText, type UnitChoice } from "../instruments/units.ts";
import type { View } from "./view.ts";

/** The share of the map that the bar may take. */
export const LONGEST_BAR = 0.25;
/** Pixels to the edge. */
const MARGIN = 14;

/** The longest of 1, 2, 5, 10 … that is not above a number. */
export function roundBelow(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([5, 2].find((step) => step * power <= most) ?? 1);
}

/** Draws over a map with north up whose context has the middle as its origin. */
export function drawScale(context: CanvasRenderingContext2D, view: View, units: UnitChoice): void {
  const { width, height, scale } = view;
  if (width === 0 || height === 0) return;
  const mile = convert("distance", units, 1);
  const miles = roundBelow(((LONGEST_BAR * width) / scale) * mile) / mile;
  const [right, top, bottom] = [width / 2 - MARGIN, MARGIN - height / 2, height / 2 - MARGIN];
  const left = right - miles * scale;
  const style = getComputedStyle(context.canvas);
  context.font = `0.875em ${style.fontFamily}`;
  context.textAlign = "center";
  const bar = new Path2D(`M${left} ${bottom - 5}V${bottom}H${right}V${bottom - 5}`);
  const arrow = new Path2D(`M${right - 6} ${top + 34}l-6 16l6 -4l6 4z`);
  const texts = [
    [`${scaleText(units, miles)}\u202f${units.distance}`, (left + right) / 2, bottom - 6],
    ["N", right - 6, top + 30],
  ] as const;
  // A rim of paper keeps them apart from land and tracks.
  context.strokeStyle = style.getPropertyValue("--plate");
  context.lineWidth = 5;
  for (const path of [bar, arrow]) context.stroke(path);
  for (const [text, x, y] of texts) context.strokeText(text, x, y);
  context.strokeStyle = style.color;
  context.fillStyle = style.color;
  context.lineWidth = 2;
  context.stroke(bar);
  context.fill(arrow);
  for (const [text, x, y] of texts) context.fillText(text, x, y);
}
