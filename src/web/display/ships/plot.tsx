/** The plot of AIS targets around own ship, with its track and the land around it. */

import { useEffect, useRef } from "preact/hooks";
import type { Position } from "../../../core/nav/great-circle.ts";
import { BelowCallBar } from "../alarms/call-bar.tsx";
import { CallMarks, callLabels } from "../alarms/call-marks.tsx";
import { searchMiddle } from "../alarms/calls.ts";
import { watchedMiles } from "../alarms/watched-distances.ts";
import { askForCharts, chartNames } from "../chart/chart-list.ts";
import { followHands } from "../chart/gestures.ts";
import { type Point, pointOf, type View } from "../chart/view.ts";
import { frameTick } from "../data/frame-tick.ts";
import { settings } from "../data/settings.ts";
import { boatClock, latest, ownTrack } from "../data/store.ts";
import { scaleText } from "../instruments/units.ts";
import { say } from "../languages/say.ts";
import { pointOnDial } from "../parts/angles.ts";
import { stateText } from "../parts/cell.tsx";
import { type LabelRequest, type Mark, placeLabels } from "../parts/labels.ts";
import { lazy } from "../parts/lazy.tsx";
import { pathOf } from "../parts/path.ts";
import { useSize } from "../parts/use-size.ts";
import { pastCoordinates } from "../trend/boat-history.ts";
import { trackParts } from "../trend/own-track.ts";
import { pastTrack } from "../trend/past-track.ts";
import { isDangerous } from "./danger.tsx";
import { LegMarks, waypointMark } from "./leg.tsx";
import { drag, endStretch, middleNow, ownMotion, ownPoint, rangeNow, stretched, turnOf, zoom } from "./scope.ts";
import { TargetShape } from "./target-shape.tsx";
import { isLost, nameOf, type Target } from "./traffic.ts";

const Coast = lazy(
  () => import("../chart/coast.tsx").then(({ Coast: View }) => View),
  () => null,
);

const OwnCharts = lazy(
  () => import("../chart/own-charts.tsx").then(({ OwnCharts: View }) => View),
  () => null,
);

/** Nautical miles below which the coastline, which may be half a mile off, would say more than is known. */
const LEAST_COAST_RANGE = 2;

/** Pixels between the outer ring and the edge, for the letters of the compass points. */
const MARGIN = 18;

const isShip = ({ class: kind }: Target): boolean => kind === "A" || kind === "B" || kind === "SAR";

interface PlotProps {
  /** Targets by urgency. */
  readonly targets: readonly Target[];
  readonly selected: number | undefined;
  readonly select: (mmsi: number) => void;
  readonly now: number;
}

const partsPath = (view: View, parts: readonly (readonly Position[])[]): string =>
  parts.map((part) => pathOf(part.map((place) => pointOf(view, place)))).join("");

/** SVG path of own track over the last day, or of the part that this page has received. */
function trackPath(view: View, here: Position, now: number): string {
  const heard = [...ownTrack.points, { ...here, at: now }];
  const parts = trackParts(pastCoordinates("latitude"), pastCoordinates("longitude"), heard, now);
  return partsPath(view, parts);
}

export function Plot({ targets, selected, select, now }: PlotProps) {
  const [box, { width, height }] = useSize();
  const { ahead, light, lamp, charts } = settings.value;
  useEffect(askForCharts, []);
  const hasCharts = charts && chartNames.value.length > 0;
  const range = rangeNow(now);
  const scale = (Math.max(20, Math.min(width, height) / 2 - MARGIN) / range) * stretched.value;
  const radius = range * scale;
  const motion = ownMotion(now);
  const { bow, course, speed } = motion;
  const turn = turnOf(motion);
  const place = latest.read("place", now);
  const here = place.kind === "live" ? place.value : undefined;
  const center = middleNow(now) ?? here ?? searchMiddle(now);
  const view = center && { center, scale, turn, width, height };
  const own = ownPoint(view, "value" in place ? place.value : undefined);
  useHands(box, view);
  const farthest = Math.hypot(width, height) / 2;
  const vector = (direction: number, knots: number) =>
    pointOnDial(direction + turn, Math.min(2 * farthest, (knots * ahead * scale) / 60));
  const way = course !== undefined && speed !== undefined ? vector(course, speed) : undefined;
  const shown = own === undefined ? [] : shownOf(targets, own, { scale, turn, width, height });
  const guard = watchedMiles("guardZone", now);
  const calls = view && callLabels(view, now);
  const around = own === undefined ? [] : [own, ...textsOfRings(own, radius, turn)];
  const waypoint = view && here && waypointMark(view, here, now);
  const marks = [
    ...around,
    ...marksOfScale(width, height),
    ...(waypoint ? [waypoint] : []),
    ...shown.map(({ at }) => at),
    ...(calls?.marks ?? []),
  ];
  const ownPlace = own && `translate(${own.x} ${own.y})`;
  return (
    <BelowCallBar now={now}>
      <div class="plot-box" ref={box}>
        {view !== undefined && range >= LEAST_COAST_RANGE && (
          <Coast view={view} light={`${light} ${lamp}`} here={here} />
        )}
        {view !== undefined && hasCharts && <OwnCharts names={chartNames.value} view={view} />}
        <svg
          class="plot"
          viewBox={`${-width / 2} ${-height / 2} ${width} ${height}`}
          role="img"
          aria-label={say("Ships within {range} nautical miles", { range })}
          onWheel={(event) => zoom(Math.sign(event.deltaY))}
        >
          {ownPlace !== undefined && (
            <g transform={ownPlace}>
              <Rings radius={radius} range={range} turn={turn} />
              {guard !== undefined && <circle class="guard" data-id="guard" r={guard * scale} />}
            </g>
          )}
          {view !== undefined && pastTrack.value !== undefined && (
            <path class="past-track" data-id="past-track" d={partsPath(view, pastTrack.value.parts)} />
          )}
          {view !== undefined && here !== undefined && (
            <>
              <path class="own-track" data-id="own-track" d={trackPath(view, here, now)} />
              <LegMarks view={view} here={here} now={now} />
            </>
          )}
          {ownPlace !== undefined && bow !== undefined && (
            <path class="heading-line" transform={`${ownPlace} rotate(${bow + turn})`} d={`M0 0V${-farthest}`} />
          )}
          {/* The most urgent ship is drawn last, above the others; own ship above all. */}
          {shown.toReversed().map(({ target, at }) => (
            <PlotTarget
              key={target.mmsi}
              target={target}
              at={at}
              turn={turn}
              way={
                target.cog !== undefined && target.sog !== undefined && target.sog > 0.2
                  ? vector(target.cog, target.sog)
                  : undefined
              }
              isSelected={target.mmsi === selected}
              select={select}
            />
          ))}
          <TargetNames
            shown={shown}
            selected={selected}
            calls={calls?.labels ?? []}
            marks={marks}
            box={{ width, height }}
          />
          {view !== undefined && <CallMarks view={view} now={now} marks={marks} />}
          {ownPlace !== undefined && (
            <>
              {way && <path class="own-vector" transform={ownPlace} d={`M0 0L${way.x} ${way.y}`} />}
              <path
                class={here === undefined ? "own old" : "own"}
                transform={`${ownPlace} rotate(${(bow ?? 0) + turn})`}
                d="M0 -13L7 9Q0 5 -7 9Z"
              />
            </>
          )}
        </svg>
        {view !== undefined && (
          <ScaleBar range={range} radius={radius} lost={place.kind === "dead" ? stateText(place) : undefined} />
        )}
      </div>
    </BelowCallBar>
  );
}

/** A target and its place on the plot, pixels from the middle. */
interface ShownTarget {
  readonly target: Target;
  readonly at: Point;
}

/** The targets that are within the box of the plot. */
const shownOf = (
  targets: readonly Target[],
  own: Point,
  { scale, turn, width, height }: Omit<View, "center">,
): readonly ShownTarget[] =>
  targets.flatMap((target) => {
    if (target.range === undefined || target.bearing === undefined) return [];
    const from = pointOnDial(target.bearing + turn, target.range * scale);
    const at = { x: own.x + from.x, y: own.y + from.y };
    return Math.abs(at.x) > width / 2 || Math.abs(at.y) > height / 2 ? [] : [{ target, at }];
  });

interface TargetNamesProps {
  readonly shown: readonly ShownTarget[];
  readonly selected: number | undefined;
  /** The labels of calls, which come first. */
  readonly calls: readonly LabelRequest[];
  readonly marks: readonly Mark[];
  readonly box: Pick<View, "width" | "height">;
}

/** The names for which there is room; that of the selected target comes first. */
function TargetNames({ shown, selected, calls, marks, box }: TargetNamesProps) {
  const named = shown
    .filter(({ target }) => target.class !== "AtoN" || target.mmsi === selected)
    .toSorted((a, b) => Number(b.target.mmsi === selected) - Number(a.target.mmsi === selected));
  const labels = placeLabels(
    [...calls, ...named.map(({ target, at }) => ({ ...at, id: target.mmsi, text: nameOf(target) }))],
    marks,
    box,
  );
  return (
    <>
      {shown.map(({ target }) => {
        const label = labels.get(target.mmsi);
        if (label === undefined) return null;
        return (
          <text
            key={target.mmsi}
            class={`target-name ${isDangerous(target) ? "danger" : ""}`}
            text-anchor={label.anchor}
            x={label.x}
            y={label.y}
          >
            {nameOf(target)}
          </text>
        );
      })}
    </>
  );
}

/** Moves and stretches the plot by the fingers on it. */
function useHands(box: { readonly current: HTMLDivElement | null }, view: View | undefined): void {
  const now = useRef(view);
  now.current = view;
  useEffect(
    () =>
      followHands(box.current!, {
        drag: (by) => now.current && drag(now.current, by),
        stretch: (factor) => {
          stretched.value = Math.min(16, Math.max(1 / 16, factor));
        },
        rest: endStretch,
      }),
    [],
  );
}

interface ScaleBarProps {
  readonly range: number;
  readonly radius: number;
  /** Since when own position is lost, in words. */
  readonly lost: string | undefined;
}

/** The scale, where no ring may be in sight, and what the picture is not. */
function ScaleBar({ range, radius, lost }: ScaleBarProps) {
  const { units } = settings.value;
  return (
    <p class="scale" data-id="scale">
      <span style={{ width: `${radius / 2}px` }} />
      <small>{`${scaleText(units, range / 2)}\u202f${units.distance}`}</small>{" "}
      <small>{say("not for navigation")}</small>
      {lost !== undefined && (
        <small class="value-state">
          {say("Position")} {lost}
        </small>
      )}
    </p>
  );
}

/** The shares of the rings that have a number, and the pixels of it. */
const NUMBERED = [0.5, 1] as const;
const NUMBER = 14;

/** Where the numbers and the compass points around own ship are. */
const textsOfRings = (own: Point, radius: number, turn: number): readonly Mark[] => [
  ...NUMBERED.map((share) => ({ x: own.x + NUMBER, y: own.y - radius * share + NUMBER / 2, radius: NUMBER })),
  ...[0, 90, 180, 270].map((bearing) => {
    const { x, y } = pointOnDial(bearing + turn, radius + MARGIN / 2);
    return { x: own.x + x, y: own.y + y };
  }),
];

/** Pixels of the words of the scale, whose length differs by language, and of it with one line and with two. */
const [SCALE_WIDTH, LOW_SCALE, HIGH_SCALE] = [220, 28, 42];

/** The scale, at the left below, as marks beside one another. */
function marksOfScale(width: number, height: number): readonly Mark[] {
  const size = width / 2 < SCALE_WIDTH ? HIGH_SCALE : LOW_SCALE;
  const length = Math.ceil(Math.min(SCALE_WIDTH, width / 2) / size);
  return Array.from({ length }, (_, at) => ({
    x: size * (at + 0.5) - width / 2,
    y: (height - size) / 2,
    radius: size / 2,
  }));
}

function Rings({ radius, range, turn }: { readonly radius: number; readonly range: number; readonly turn: number }) {
  const { units } = settings.value;
  return (
    <>
      <g class="rings">
        {[0.25, 0.5, 0.75, 1].map((share) => (
          <circle key={share} r={radius * share} />
        ))}
        <path d={`M0 ${-radius}V${radius}M${-radius} 0H${radius}`} />
        {NUMBERED.map((share) => (
          <text key={share} x={4} y={NUMBER - radius * share}>
            {scaleText(units, range * share)}
          </text>
        ))}
      </g>
      <g class="compass-points">
        {["N", "E", "S", "W"].map((name, quarter) => {
          const at = pointOnDial(quarter * 90 + turn, radius + MARGIN / 2);
          return (
            <text key={name} text-anchor="middle" x={at.x} y={at.y + 4}>
              {name}
            </text>
          );
        })}
      </g>
    </>
  );
}

interface PlotTargetProps {
  readonly target: Target;
  readonly at: Point;
  readonly turn: number;
  readonly way: Point | undefined;
  readonly isSelected: boolean;
  readonly select: (mmsi: number) => void;
}

function PlotTarget({ target, at, turn, way, isSelected, select }: PlotTargetProps) {
  const isOld = isLost(target, boatClock(frameTick.value));
  const kinds = [
    "target",
    `class-${target.class}`,
    isDangerous(target) ? "danger" : "",
    isSelected ? "selected" : "",
    isOld ? "old" : "",
  ].join(" ");
  const course = isShip(target) ? (target.heading ?? target.cog ?? 0) + turn : 0;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the list serves keyboards and screen readers
    <g
      class={kinds}
      data-mmsi={target.mmsi}
      transform={`translate(${at.x} ${at.y})`}
      onClick={() => select(target.mmsi)}
    >
      <circle class="touch" r="22" />
      {isDangerous(target) && <circle class="danger-ring" r="19" />}
      {way && !isOld && <path class="vector" d={`M0 0L${way.x} ${way.y}`} />}
      {isSelected && <path class="brackets" d="M-17 -10V-17H-10M10 -17H17V-10M17 10V17H10M-10 17H-17V10" />}
      <TargetShape target={target} course={course} isOld={isOld} />
    </g>
  );
}
