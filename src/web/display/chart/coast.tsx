/** The land below a plot, on a canvas of its own, so that it is drawn anew only when the view has moved. */

import { useEffect, useRef } from "preact/hooks";
import type { Position } from "../../../core/nav/great-circle.ts";
import { say } from "../languages/say.ts";
import { emptied } from "./canvas.ts";
import { type CoastCell, isLand, type Rings, STEPS } from "./coast-file.ts";
import { coastAround } from "./coast-files.ts";
import { degreesOf, isMoved, pointOf, type View } from "./view.ts";

interface Paths {
  readonly area: Path2D;
  /** The rings without the edges along which the cell, or the land of the source, was cut. */
  readonly shore: Path2D;
}

const paths = new WeakMap<Rings, Paths>();

/** The places in a cell at which land is cut: its own edges, and those of a map of the world. */
function cutsOf(from: number, size: number, ...edges: readonly number[]): (at: number) => boolean {
  const cuts = [0, STEPS, ...edges.map((edge) => Math.round(((edge - from) / size) * STEPS))];
  // The numbers of a file are rounded.
  return (at) => cuts.some((cut) => Math.abs(at - cut) <= 1);
}

function pathsOf(rings: Rings, { west, south, size }: CoastCell): Paths {
  const known = paths.get(rings);
  if (known !== undefined) return known;
  const made = { area: new Path2D(), shore: new Path2D() };
  const [isCutX, isCutY] = [cutsOf(west, size, -180, 180), cutsOf(south, size, -90)];
  for (const ring of rings) {
    let [lastX, lastY] = [ring[ring.length - 2]!, ring[ring.length - 1]!];
    for (let at = 0; at < ring.length; at += 2) {
      const [x, y] = [ring[at]!, ring[at + 1]!];
      if (at === 0) made.area.moveTo(x, y);
      else made.area.lineTo(x, y);
      const isCut = (lastX === x && isCutX(x)) || (lastY === y && isCutY(y));
      if (isCut || at === 0) made.shore.moveTo(lastX, lastY);
      if (isCut) made.shore.moveTo(x, y);
      else made.shore.lineTo(x, y);
      [lastX, lastY] = [x, y];
    }
    made.area.closePath();
  }
  paths.set(rings, made);
  return made;
}

const middleOf = ({ west, south, size }: CoastCell): Position => ({
  latitude: south + size / 2,
  longitude: west + size / 2,
});

function isInSight(view: View, cell: CoastCell): boolean {
  const middle = pointOf(view, middleOf(cell));
  const reach = cell.size * 60 * view.scale * Math.SQRT1_2 + Math.hypot(view.width, view.height) / 2;
  return Math.hypot(middle.x, middle.y) < reach;
}

/** Where the coastline has the boat on land it is too coarse to say what is water: its lines alone are drawn. */
function draw(canvas: HTMLCanvasElement, view: View, cells: readonly CoastCell[], isAshore: boolean): void {
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
    const place = toScreen.multiply(matrix);
    const layers = [pathsOf(cell.land, cell), pathsOf(cell.lakes, cell)];
    context.setTransform(place);
    for (const [index, { area }] of isAshore ? [] : layers.entries()) {
      context.globalCompositeOperation = index === 0 ? "source-over" : "destination-out";
      context.fill(area, "evenodd");
    }
    context.globalCompositeOperation = "source-over";
    context.resetTransform();
    for (const { shore } of layers) {
      // The width of a line is not turned and stretched with the land.
      const line = new Path2D();
      line.addPath(shore, place);
      context.stroke(line);
    }
  }
}

interface CoastProps {
  readonly view: View;
  /** Changes with the colours. */
  readonly light: string;
  /** Own place, if known. */
  readonly here?: Position | undefined;
}

export function Coast({ view, light, here }: CoastProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<{ readonly view: View; readonly look: string }>(undefined);
  const north = Math.hypot(view.width, view.height) / 2 / view.scale / 60;
  const east = north / Math.max(0.05, Math.cos((view.center.latitude * Math.PI) / 180));
  const cells = coastAround(view.center, { north, east });
  const isAshore = here !== undefined && isLand(cells, here);
  useEffect(() => {
    const last = drawn.current;
    const look = `${light} ${cells.length} ${isAshore}`;
    if (last?.look === look && !isMoved(last.view, view)) return;
    drawn.current = { view, look };
    draw(canvas.current!, view, cells, isAshore);
  });
  return (
    <>
      <canvas class="coast" ref={canvas} data-cells={cells.length} />
      {isAshore && <small class="coast-note">{say("The coastline is coarse here: it has the boat on land")}</small>}
    </>
  );
}
