/** The boats of the list on a map, each at its last known place. A shape and a colour tell the state. */

import { useEffect, useRef, useState } from "preact/hooks";
import { Coast } from "../chart/coast.tsx";
import { followHands } from "../chart/gestures.ts";
import { type Point, placeOf, pointOf, type View } from "../chart/view.ts";
import { fleetHref } from "../data/hull.ts";
import { settings } from "../data/settings.ts";
import { durationText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";
import { useSize } from "../parts/use-size.ts";
import { type Extent, extentOf } from "./extent.ts";
import { alarmWordsOf, faultWordsOf } from "./hull-words.ts";
import { type HullRow, isFaulty, stateNames } from "./hulls.ts";

export interface FleetMapProps {
  /** The worst first. */
  readonly rows: readonly HullRow[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Pixels around a boat that a finger hits. */
const REACH = 24;
const MAX_NAMES = 12;
const [SMALLEST_SCALE, LARGEST_SCALE] = [0.01, 200];

interface Placed {
  readonly row: HullRow;
  readonly at: Point;
}

/** A triangle for an alarm, a square for a fault, a disc for a boat that is well, a ring for one that is late. */
function drawBoat(context: CanvasRenderingContext2D, { row, at: { x, y } }: Placed): void {
  context.beginPath();
  if (row.severity !== undefined) {
    context.moveTo(x, y - 9);
    context.lineTo(x + 8, y + 6);
    context.lineTo(x - 8, y + 6);
    context.closePath();
  } else if (isFaulty(row)) context.rect(x - 5, y - 5, 10, 10);
  else context.arc(x, y, 5, 0, 2 * Math.PI);
  if (row.state === "online" || row.severity !== undefined) context.fill();
  context.stroke();
}

function draw(canvas: HTMLCanvasElement, { width, height }: View, boats: readonly Placed[]): void {
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d")!;
  context.setTransform(ratio, 0, 0, ratio, canvas.width / 2, canvas.height / 2);
  // Colours of the light by day or by night.
  const { color: ink, fill: danger, stroke: good, fontFamily } = getComputedStyle(canvas);
  context.lineWidth = 2;
  context.font = `13px ${fontFamily}`;
  // The worst are drawn last, above the others.
  for (const boat of boats.toReversed()) {
    const colour = boat.row.severity !== undefined || isFaulty(boat.row) ? danger : good;
    context.strokeStyle = colour;
    context.fillStyle = colour;
    drawBoat(context, boat);
  }
  context.fillStyle = ink;
  for (const { row, at } of boats.filter(({ row: { severity } }) => severity !== undefined).slice(0, MAX_NAMES))
    context.fillText(row.hull.name, at.x + 12, at.y + 4);
}

function Card({ row, now }: { readonly row: HullRow; readonly now: number }) {
  const { name, measured, alarms = [] } = row.hull;
  const age =
    measured === undefined ? "" : `, ${say("{duration} ago", { duration: durationText((now - measured) / 1000) })}`;
  return (
    <a class="map-card" href={fleetHref(name)}>
      <b>{name}</b> {say(stateNames[row.state])}
      {age}
      {[...alarms.map(alarmWordsOf), ...row.faults.map(faultWordsOf)].slice(0, 2).map((text) => ` · ${text}`)}
    </a>
  );
}

export function FleetMap({ rows, now }: FleetMapProps) {
  const [box, size] = useSize();
  const [moved, setMoved] = useState<Extent>();
  const [chosen, setChosen] = useState<string>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const placed = rows.filter(({ hull }) => hull.position !== undefined);
  const extent =
    moved ??
    extentOf(
      placed.map(({ hull }) => hull.position!),
      size,
    );
  const view: View = { ...extent, turn: 0, ...size };
  const boats = placed
    .map((row): Placed => ({ row, at: pointOf(view, row.hull.position!) }))
    .filter(({ at }) => Math.abs(at.x) < size.width / 2 && Math.abs(at.y) < size.height / 2);
  const shown = useRef({ view, boats });
  shown.current = { view, boats };
  useEffect(() => draw(canvas.current!, view, boats));
  useEffect(() => {
    let isDragged = false;
    let scale = 0;
    const begin = (): void => {
      scale = 0;
    };
    const stop = followHands(box.current!, {
      drag: (by) => {
        isDragged = true;
        const { view } = shown.current;
        setMoved({ center: placeOf(view, { x: -by.x, y: -by.y }), scale: view.scale });
      },
      stretch: (factor) => {
        isDragged = true;
        const { view } = shown.current;
        scale ||= view.scale;
        setMoved({ center: view.center, scale: within(scale * factor) });
      },
      rest: begin,
    });
    const tap = ({ clientX, clientY, target }: MouseEvent): void => {
      if (isDragged || !(target instanceof HTMLCanvasElement)) return;
      const { left, top, width, height } = box.current!.getBoundingClientRect();
      const [x, y] = [clientX - left - width / 2, clientY - top - height / 2];
      const near = shown.current.boats
        .map(({ row, at }) => ({ row, distance: Math.hypot(at.x - x, at.y - y) }))
        .filter(({ distance }) => distance < REACH)
        .toSorted((one, other) => one.distance - other.distance);
      setChosen(near[0]?.row.hull.name);
    };
    const press = (): void => {
      isDragged = false;
    };
    const element = box.current!;
    element.addEventListener("pointerdown", press);
    element.addEventListener("click", tap);
    return () => {
      stop();
      element.removeEventListener("pointerdown", press);
      element.removeEventListener("click", tap);
    };
  }, []);
  const zoom = (factor: number): void => setMoved({ center: view.center, scale: within(view.scale * factor) });
  const { light, lamp } = settings.value;
  const row = placed.find(({ hull }) => hull.name === chosen);
  return (
    <section class="fleet-map" aria-label={say("Map")}>
      <div class="plot-box" ref={box} onWheel={(event) => zoom(event.deltaY < 0 ? 1.5 : 1 / 1.5)}>
        <Coast view={view} light={`${light} ${lamp}`} />
        <canvas class="boats" ref={canvas} data-boats={boats.length} />
      </div>
      <div class="map-tools">
        <button type="button" aria-label={say("Zoom in")} onClick={() => zoom(2)}>
          +
        </button>
        <button type="button" aria-label={say("Zoom out")} onClick={() => zoom(0.5)}>
          −
        </button>
        {moved !== undefined && (
          <button type="button" onClick={() => setMoved(undefined)}>
            {say("All boats")}
          </button>
        )}
      </div>
      {row === undefined ? <p class="map-card">{say("not for navigation")}</p> : <Card row={row} now={now} />}
    </section>
  );
}

const within = (scale: number): number => Math.min(LARGEST_SCALE, Math.max(SMALLEST_SCALE, scale));
