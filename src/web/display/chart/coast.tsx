/** The land below a plot, on a canvas of its own, so that it is drawn anew only when the view has moved. */
import { useEffect, useRef } from "preact/hooks";
import type { Coordinates } from "../trend/own-track.ts";
import { emptied } from "./canvas.ts";
import { type CoastCell, STEPS } from "./coast-file.ts";
import { coastAround } from "./coast-files.ts";
import { degreesOf, isMoved, pointOf, type View } from "./view.ts";

const paths = new WeakMap<CoastCell, { readonly land: Path2D; readonly shore: Path2D }>();

/** The land of a cell, and its shore: the rings without the edges along which the cell was cut. */
function pathsOf(cell: CoastCell) {
  const known = paths.get(cell);
  if (known !== undefined) return known;
  const made = { land: new Path2D(), shore: new Path2D() };
  for (const ring of cell.rings) {
    let [lastX, lastY] = [ring[ring.length - 2]!, ring[ring.length - 1]!];
    for (let at = 0; at < ring.length; at += 2) {
      const [x, y] = [ring[at]!, ring[at + 1]!];
      if (at === 0) made.land.moveTo(x, y);
      else made.land.lineTo(x, y);
      const isCut = (lastX === x && (x === 0 || x === STEPS)) || (lastY === y && (y === 0 || y === STEPS));
      if (isCut || at === 0) made.shore.moveTo(lastX, lastY);
      if (isCut) made.shore.moveTo(x, y);
      else made.shore.lineTo(x, y);
      [lastX, lastY] = [x, y];
    }
    made.land.closePath();
  }
  paths.set(cell, made);
  return made;
}

const middleOf = ({ west, south, size }: CoastCell): Coordinates => ({
  latitude: south + size / 2,
  longitude: west + size / 2,
});

function isInSight(view: View, cell: CoastCell): boolean {
  const middle = pointOf(view, middleOf(cell));
  const reach = cell.size * 60 * view.scale * Math.SQRT1_2 + Math.hypot(view.width, view.height) / 2;
  return Math.hypot(middle.x, middle.y) < reach;
}

function draw(canvas: HTMLCanvasElement, view: View, cells: readonly CoastCell[]): void {
  const { context, toScreen } = emptied(canvas, view);
  const { fill, stroke } = getComputedStyle(canvas);
  context.fillStyle = fill;
  context.strokeStyle = stroke;
  context.lineWidth = 1;
  const [a, b, c, d] = degreesOf(view);
  for (const cell of cells) {
    if (!isInSight(view, cell)) continue;
    const half = cell.size / 2;
    // The place of the middle is right on both sides of 180 degrees.
    const { x, y } = pointOf(view, middleOf(cell));
    const matrix = new DOMMatrix([a, b, c, d, x - half * (a + c), y - half * (b + d)]).scale(cell.size / STEPS);
    const { land, shore } = pathsOf(cell);
    const place = toScreen.multiply(matrix);
    context.setTransform(place);
    context.fill(land, "evenodd");
    // The width of a line is not turned and stretched with the land.
    const line = new Path2D();
    line.addPath(shore, place);
    context.resetTransform();
    context.stroke(line);
  }
}

interface CoastProps {
  readonly view: View;
  /** Changes with the colours. */
  readonly light: string;
}

export function Coast({ view, light }: CoastProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<{ readonly view: View; readonly light: string; readonly cells: number }>(undefined);
  const north = Math.hypot(view.width, view.height) / 2 / view.scale / 60;
  const east = north / Math.max(0.05, Math.cos((view.center.latitude * Math.PI) / 180));
  const cells = coastAround(view.center, { north, east });
  useEffect(() => {
    const last = drawn.current;
    if (last?.light === light && last.cells === cells.length && !isMoved(last.view, view)) return;
    drawn.current = { view, light, cells: cells.length };
    draw(canvas.current!, view, cells);
  });
  return <canvas class="coast" ref={canvas} data-cells={cells.length} />;
}
