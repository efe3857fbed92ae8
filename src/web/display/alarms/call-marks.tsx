/**
 * Persons and beacons on a plot: where they are, the way to steer, own track since the call, and the drift by the
 * current. What is beyond the edge is an arrow there.
 */
import { type Point, pointOf, type View } from "../chart/view.ts";
import { boatClock } from "../data/store.ts";
import { type Mark as LabelMark, type LabelRequest, placeLabels } from "../parts/labels.ts";
import { pathOf } from "../parts/path.ts";
import { trackSince } from "../trend/track-since.ts";
import { driftOf, hereNow, lineTo, type PlacedCall, placedCalls, rangeText, sinceText } from "./calls.ts";

/** Pixels of a mark, between the edge and an arrow there, and of the smallest circle around a drifted place. */
const RADIUS = 15;
const EDGE = 22;
const LEAST_CIRCLE = 12;

const person = "M0 -7A2.800 2.800 0 1 0 .1 -7ZM-7 6Q0 -5 7 6";
const vessel = "M-5 -5L5 5M5 -5L-5 5";

/** A call on a plot, in pixels from the middle. */
interface ShownCall {
  readonly call: PlacedCall;
  readonly at: Point;
  /** Where the arrow to a call beyond the edge is. */
  readonly edge: Point | undefined;
}

/** The point on the edge in the direction of one beyond it; undefined for a point in sight. */
function edgeOf({ x, y }: Point, { width, height }: View): Point | undefined {
  const share = Math.min((width / 2 - EDGE) / Math.abs(x), (height / 2 - EDGE) / Math.abs(y));
  return share >= 1 ? undefined : { x: x * share, y: y * share };
}

const shownCalls = (view: View, now: number): readonly ShownCall[] =>
  placedCalls(now).map((call) => {
    const at = pointOf(view, call.position);
    return { call, at, edge: edgeOf(at, view) };
  });

/** What stands beside a mark: the time since the call, or the way to one beyond the edge; of several calls which it is. */
function textOf({ call, edge }: ShownCall, isOneOfSeveral: boolean, now: number): string {
  const { range, isOld } = lineTo(call, now);
  const text =
    edge && range !== undefined && !isOld ? rangeText(range).join("\u202f") : sinceText(boatClock(now) - call.at);
  const which = call.person === undefined ? call.subject : edge && String(call.person);
  return isOneOfSeveral && which ? `${which} · ${text}` : text;
}

/** The labels of all calls, for which other texts of a plot leave room. */
interface CallLabels {
  readonly labels: readonly LabelRequest[];
  /** What no label covers: the calls, and where the current may have taken them. */
  readonly marks: readonly LabelMark[];
}

export function callLabels(view: View, now: number): CallLabels {
  const shown = shownCalls(view, now);
  const labels = shown.map((each) => ({
    ...(each.edge ?? each.at),
    ...{ id: each.call.id, radius: RADIUS, text: textOf(each, shown.length > 1, now) },
  }));
  return { labels, marks: [...labels, ...shown.flatMap((each) => circleOf(each, view, now) ?? [])] };
}

/** The circle around a place to which a person may have drifted; undefined as long as the mark covers it. */
function circleOf({ call, at }: ShownCall, view: View, now: number): Required<LabelMark> | undefined {
  const drift = driftOf(call, now);
  if (drift === undefined) return undefined;
  const { x, y } = pointOf(view, drift.place);
  const length = Math.hypot(x - at.x, y - at.y);
  return length > LEAST_CIRCLE ? { x, y, radius: Math.max(LEAST_CIRCLE, length / 4) } : undefined;
}

interface MarkProps {
  readonly of: ShownCall;
  readonly own: Point | undefined;
  readonly view: View;
  readonly now: number;
}

function Mark({ of: shown, own, view, now }: MarkProps) {
  const { call, at, edge } = shown;
  const circle = circleOf(shown, view, now);
  return (
    <g class="call-mark" data-id={`call-mark-${call.id}`} data-edge={edge !== undefined}>
      {own !== undefined && <path class="call-way" d={`M${own.x} ${own.y}L${at.x} ${at.y}`} />}
      {circle !== undefined && (
        <g class="call-drift" data-id="call-drift">
          <path d={`M${at.x} ${at.y}L${circle.x} ${circle.y}`} />
          <circle cx={circle.x} cy={circle.y} r={circle.radius} />
        </g>
      )}
      {edge === undefined ? (
        <g transform={`translate(${at.x} ${at.y})`}>
          <circle r="13" />
          {call.person === undefined ? (
            <path d={call.isPerson ? person : vessel} />
          ) : (
            <text text-anchor="middle" y="5">
              {call.person}
            </text>
          )}
        </g>
      ) : (
        <path
          class="call-edge"
          transform={`translate(${edge.x} ${edge.y}) rotate(${(Math.atan2(edge.x, -edge.y) * 180) / Math.PI})`}
          d="M0 -14L11 10H-11Z"
        />
      )}
    </g>
  );
}

interface CallMarksProps {
  readonly view: View;
  readonly now: number;
  /** What the labels do not cover; absent: only what is drawn here. */
  readonly marks?: readonly LabelMark[];
}

export function CallMarks({ view, now, marks }: CallMarksProps) {
  const shown = shownCalls(view, now);
  const [first] = shown;
  if (first === undefined) return null;
  const track = trackSince(first.call.at, now).map((part) => pathOf(part.map((place) => pointOf(view, place))));
  const own = callLabels(view, now);
  const places = placeLabels(own.labels, marks ?? own.marks, view);
  const here = hereNow(now);
  const boat = here && pointOf(view, here);
  return (
    <g class="calls">
      <path class="search-track" data-id="search-track" d={track.join("")} />
      {shown.toReversed().map((each) => (
        <Mark key={each.call.id} of={each} own={boat} view={view} now={now} />
      ))}
      {own.labels.map(({ id, text }) => {
        const place = places.get(id);
        return (
          place && (
            <text key={id} text-anchor={place.anchor} x={place.x} y={place.y}>
              {text}
            </text>
          )
        );
      })}
    </g>
  );
}
