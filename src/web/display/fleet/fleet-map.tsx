/** The boats of the list on a map, each at its last known place. A shape and a colour tell the state. */
import { useState } from "preact/hooks";
import { extentOf } from "../chart/extent.ts";
import { FreeMap } from "../chart/free-map.tsx";
import { type Point, pointOf, type View } from "../chart/view.ts";
import { fleetHref } from "../data/hull.ts";
import { durationText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";
import { alarmWordsOf, faultWordsOf } from "./hull-words.ts";
import { type HullRow, isFaulty, stateNames } from "./hulls.ts";
import { nextOf } from "./next-of.ts";

export interface FleetMapProps {
  /** The worst first. */
  readonly rows: readonly HullRow[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Pixels around a boat that a finger hits. */
const REACH = 24;
const MAX_NAMES = 12;

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

const placedOn = (view: View, rows: readonly HullRow[]): readonly Placed[] =>
  rows
    .map((row): Placed => ({ row, at: pointOf(view, row.hull.position!) }))
    .filter(({ at }) => Math.abs(at.x) < view.width / 2 && Math.abs(at.y) < view.height / 2);

function draw(context: CanvasRenderingContext2D, boats: readonly Placed[]): void {
  const { canvas } = context;
  canvas.dataset.boats = String(boats.length);
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

interface CardProps {
  readonly row: HullRow;
  /** Boats that the same tap would choose next. */
  readonly others: number;
  readonly now: number;
}

function Card({ row, others, now }: CardProps) {
  const { name, measured, alarms = [] } = row.hull;
  const age =
    measured === undefined ? "" : `, ${say("{duration} ago", { duration: durationText((now - measured) / 1000) })}`;
  return (
    <a class="map-card" href={fleetHref(name)}>
      <b>{name}</b> {say(stateNames[row.state])}
      {age}
      {[...alarms.map(alarmWordsOf), ...row.faults.map(faultWordsOf)].slice(0, 2).map((text) => ` · ${text}`)}
      {others > 0 && <small> {say("and {others} more", { others })}</small>}
    </a>
  );
}

export function FleetMap({ rows, now }: FleetMapProps) {
  const [{ chosen, others }, setChosen] = useState<{ readonly chosen?: string | undefined; readonly others: number }>({
    others: 0,
  });
  const placed = rows.filter(({ hull }) => hull.position !== undefined);
  const places = placed.map(({ hull }) => hull.position!);
  const choose = ({ x, y }: Point, view: View): void => {
    const near = placedOn(view, placed)
      .map(({ row, at }) => ({ row, distance: Math.hypot(at.x - x, at.y - y) }))
      .filter(({ distance }) => distance < REACH)
      .toSorted((one, other) => one.distance - other.distance)
      .map(({ row }) => row.hull.name);
    setChosen({ chosen: nextOf(near, chosen), others: Math.max(0, near.length - 1) });
  };
  const row = placed.find(({ hull }) => hull.name === chosen);
  return (
    <FreeMap
      kind="fleet-map"
      whole={(size) => extentOf(places, size)}
      wholeTitle={say("All boats")}
      draw={(context, view) => draw(context, placedOn(view, placed))}
      drawn="boats"
      onTap={choose}
    >
      {row === undefined ? (
        <p class="map-card">{say("not for navigation")}</p>
      ) : (
        <Card row={row} others={others} now={now} />
      )}
    </FreeMap>
  );
}
