/**
 * Persons and beacons on a plot: where they are, the way to steer, own track since the call, and the drift by the
 * current. What is beyond the edge is an arrow there.
 */
import { type Point, pointOf, type View } from "../chart/view.ts";
import { type Mark as LabelMark, type LabelRequest, placeLabels } from "../parts/labels.ts";
import { pathOf } from "../parts/path.ts";
import { sharedMarks } from "../parts/shared-marks.ts";
import { trackSince } from "../trend/track-since.ts";
import { driftOf, hereNow, lineTo, type PlacedCall, placedCalls, rangeText, sinceText } from "./calls.ts";

/** Pixels of a mark of one call, and from one call to the next in a mark of several. */
const SIZE = 26;
const STEP = 18;
/** Pixels of a mark with its frame, between the edge and an arrow there, and of the smallest circle of a drifted place. */
const RADIUS = 15;
const EDGE = 22;
const LEAST_CIRCLE = 12;

const widthOf = (count: number): number => SIZE + STEP * (count - 1);

const person = "M0 -7A2.800 2.800 0 1 0 .1 -7ZM-7 6Q0 -5 7 6";
const vessel = "M-5 -5L5 5M5 -5L-5 5";

/** A call on a plot, in pixels from the middle: its mark, or the arrow to one beyond the edge, and its own place. */
interface ShownCall extends Point {
  readonly call: PlacedCall;
  readonly at: Point;
  readonly isBeyond: boolean;
}

/** A mark, or an arrow, of one call or of several. */
interface CallMark extends Point {
  readonly of: readonly ShownCall[];
  readonly isBeyond: boolean;
}

/** The point on the edge in the direction of one beyond it; undefined for a point in sight. */
function edgeOf({ x, y }: Point, { width, height }: View): Point | undefined {
  const share = Math.min((width / 2 - EDGE) / Math.abs(x), (height / 2 - EDGE) / Math.abs(y));
  return share >= 1 ? undefined : { x: x * share, y: y * share };
}

const shownCalls = (view: View, now: number): readonly ShownCall[] =>
  placedCalls(now).map((call) => {
    const at = pointOf(view, call.position);
    const edge = edgeOf(at, view);
    return { call, at, isBeyond: edge !== undefined, ...(edge ?? at) };
  });

const byNumber = (
  { call: { person: a = Number.MAX_VALUE } }: ShownCall,
  { call: { person: b = Number.MAX_VALUE } }: ShownCall,
) => a - b;

/** The marks of all calls, in each of them the persons by their numbers. */
const marksOf = (shown: readonly ShownCall[], { width }: View): readonly CallMark[] =>
  [false, true].flatMap((isBeyond) => {
    const places = shown.filter((each) => each.isBeyond === isBeyond);
    return sharedMarks(places, isBeyond ? () => SIZE : widthOf, SIZE).map(({ of, x, y }) => {
      const most = (width - widthOf(of.length)) / 2 - 2;
      return { of: of.toSorted(byNumber), x: isBeyond ? x : Math.max(-most, Math.min(most, x)), y, isBeyond };
    });
  });

/** From the middle of a mark to one of its calls; an arrow has no room for several. */
const offsetOf = ({ of, isBeyond }: CallMark, index: number): number =>
  isBeyond ? 0 : STEP * (index - (of.length - 1) / 2);

const least = ([first, ...others]: readonly number[]): number | undefined =>
  others.reduce((least, value) => Math.min(least, value), first!);

const idOf = ({ of }: CallMark): string => of.map(({ call }) => call.id).join(" ");

/** The label of a mark: the time since the call, or the way to one beyond the edge; of several calls which it is. */
function textOf({ of, isBeyond }: CallMark, isOneOfSeveral: boolean, now: number): string {
  const lines = of.map(({ call }) => lineTo(call, now));
  const range = least(lines.flatMap(({ range, isOld }) => (isOld ? [] : (range ?? []))));
  const earliest = of.reduce((at, { call }) => Math.min(at, call.at), Infinity);
  const text = isBeyond && range !== undefined ? rangeText(range).join("\u202f") : sinceText(now - earliest);
  const names = of.map(({ call }) => (call.person === undefined ? call.subject : isBeyond && String(call.person)));
  const which = names.filter((name) => name).join(", ");
  return isOneOfSeveral && which ? `${which} · ${text}` : text;
}

/** The labels of all calls, for which other texts of a plot leave room. */
interface CallLabels {
  readonly labels: readonly LabelRequest[];
  /** Marks that stay free of labels: the calls, and where the current may have taken them. */
  readonly marks: readonly LabelMark[];
}

export function callLabels(view: View, now: number): CallLabels {
  const shown = shownCalls(view, now);
  const marks = marksOf(shown, view);
  const spots = marks.map((mark) =>
    mark.of.map((_, index) => ({ x: mark.x + offsetOf(mark, index), y: mark.y, radius: RADIUS })),
  );
  const labels = marks.map((mark, index) => ({
    ...spots[index]!.at(-1)!,
    ...{ id: idOf(mark), text: textOf(mark, shown.length > 1, now) },
  }));
  return { labels, marks: [...spots.flat(), ...shown.flatMap((each) => circleOf(each, view, now) ?? [])] };
}

/** The circle around a place to which a person may have drifted; undefined as long as the mark covers it. */
function circleOf({ call, at }: ShownCall, view: View, now: number): Required<LabelMark> | undefined {
  const drift = driftOf(call, now);
  if (drift === undefined) return undefined;
  const { x, y } = pointOf(view, drift.place);
  const length = Math.hypot(x - at.x, y - at.y);
  return length > LEAST_CIRCLE ? { x, y, radius: Math.max(LEAST_CIRCLE, length / 4) } : undefined;
}

interface WayProps {
  readonly of: ShownCall;
  readonly own: Point | undefined;
  readonly view: View;
  readonly now: number;
}

/** From the boat to a call, and on to where the current may have taken the person. */
function Way({ of: shown, own, view, now }: WayProps) {
  const { at } = shown;
  const circle = circleOf(shown, view, now);
  return (
    <>
      {own !== undefined && <path class="call-way" d={`M${own.x} ${own.y}L${at.x} ${at.y}`} />}
      {circle !== undefined && (
        <g class="call-drift" data-id="call-drift">
          <path d={`M${at.x} ${at.y}L${circle.x} ${circle.y}`} />
          <circle cx={circle.x} cy={circle.y} r={circle.radius} />
        </g>
      )}
    </>
  );
}

function Mark({ of: mark }: { readonly of: CallMark }) {
  const { x, y, of, isBeyond } = mark;
  const width = widthOf(of.length);
  return (
    <g class="call-mark" data-id={`call-mark-${idOf(mark)}`} data-edge={isBeyond} transform={`translate(${x} ${y})`}>
      {isBeyond ? (
        <path class="call-edge" transform={`rotate(${(Math.atan2(x, -y) * 180) / Math.PI})`} d="M0 -14L11 10H-11Z" />
      ) : (
        <>
          <rect x={-width / 2} y={-SIZE / 2} width={width} height={SIZE} rx={SIZE / 2} />
          {of.map(({ call: { id, person: number, isPerson } }, index) => (
            <g key={id} transform={`translate(${offsetOf(mark, index)} 0)`}>
              {number === undefined ? (
                <path d={isPerson ? person : vessel} />
              ) : (
                <text text-anchor="middle" y="5">
                  {number}
                </text>
              )}
            </g>
          ))}
        </>
      )}
    </g>
  );
}

interface CallMarksProps {
  readonly view: View;
  readonly now: number;
  /** Marks that the labels do not cover; absent: those that are drawn here alone. */
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
      <g class="call-mark">
        {shown.map((each) => (
          <Way key={each.call.id} of={each} own={boat} view={view} now={now} />
        ))}
      </g>
      {marksOf(shown, view).map((mark) => (
        <Mark key={idOf(mark)} of={mark} />
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
