/**
 * Persons and beacons on a plot: where they are, the way to steer, own track since the call, and the drift by the
 * current. What is beyond the edge is an arrow there.
 */
import { type Point, pointOf, type View } from "../chart/view.ts";
import { boatClock } from "../data/store.ts";
import { pathOf } from "../parts/path.ts";
import { trackSince } from "../trend/track-since.ts";
import { driftOf, hereNow, lineTo, type PlacedCall, placedCalls, rangeText, sinceText } from "./calls.ts";

/** Pixels between the edge and an arrow there, and the smallest circle around a drifted place. */
const EDGE = 22;
const LEAST_CIRCLE = 12;

const person = "M0 -7A2.800 2.800 0 1 0 .1 -7ZM-7 6Q0 -5 7 6";
const vessel = "M-5 -5L5 5M5 -5L-5 5";

interface MarkProps {
  readonly call: PlacedCall;
  readonly view: View;
  readonly now: number;
}

/** The point on the edge in the direction of one beyond it; undefined for a point in sight. */
function edgeOf({ x, y }: Point, { width, height }: View): Point | undefined {
  const share = Math.min((width / 2 - EDGE) / Math.abs(x), (height / 2 - EDGE) / Math.abs(y));
  return share >= 1 ? undefined : { x: x * share, y: y * share };
}

function Mark({ call, view, now }: MarkProps) {
  const at = pointOf(view, call.position);
  const edge = edgeOf(at, view);
  const here = hereNow(now);
  const own = here && pointOf(view, here);
  const drift = driftOf(call, now);
  const drifted = drift && pointOf(view, drift.place);
  const length = drifted === undefined ? 0 : Math.hypot(drifted.x - at.x, drifted.y - at.y);
  const { range } = lineTo(call, now);
  const shown = edge ?? at;
  const text = edge && range !== undefined ? rangeText(range).join("\u202f") : sinceText(boatClock(now) - call.at);
  const isLeft = shown.x > view.width / 2 - 90;
  return (
    <g class="call-mark" data-id={`call-mark-${call.id}`} data-edge={edge !== undefined}>
      {own !== undefined && <path class="call-way" d={`M${own.x} ${own.y}L${at.x} ${at.y}`} />}
      {drifted !== undefined && length > LEAST_CIRCLE && (
        <g class="call-drift" data-id="call-drift">
          <path d={`M${at.x} ${at.y}L${drifted.x} ${drifted.y}`} />
          <circle cx={drifted.x} cy={drifted.y} r={Math.max(LEAST_CIRCLE, length / 4)} />
        </g>
      )}
      {edge === undefined ? (
        <g transform={`translate(${at.x} ${at.y})`}>
          <circle r="13" />
          <path d={call.isPerson ? person : vessel} />
        </g>
      ) : (
        <path
          class="call-edge"
          transform={`translate(${edge.x} ${edge.y}) rotate(${(Math.atan2(edge.x, -edge.y) * 180) / Math.PI})`}
          d="M0 -14L11 10H-11Z"
        />
      )}
      <text x={shown.x + (isLeft ? -18 : 18)} y={shown.y + 5} text-anchor={isLeft ? "end" : "start"}>
        {text}
      </text>
    </g>
  );
}

export function CallMarks({ view, now }: { readonly view: View; readonly now: number }) {
  const calls = placedCalls(now);
  const [first] = calls;
  if (first === undefined) return null;
  const track = trackSince(first.at, now).map((part) => pathOf(part.map((place) => pointOf(view, place))));
  return (
    <g class="calls">
      <path class="search-track" data-id="search-track" d={track.join("")} />
      {calls.toReversed().map((call) => (
        <Mark key={call.id} call={call} view={view} now={now} />
      ))}
    </g>
  );
}
