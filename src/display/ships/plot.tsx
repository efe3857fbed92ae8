/** The plot of AIS targets around own ship, with its track. */
import { pointOnDial } from "../angles.ts";
import { boatClock, latest, ownTrack } from "../data/store.ts";
import { frameTick } from "../frame-tick.ts";
import { placeLabels } from "../parts/labels.ts";
import { useSize } from "../parts/use-size.ts";
import { changeSettings, settings } from "../settings.ts";
import { isLost, nameOf, ranges, symbol, type Target } from "../traffic.ts";
import { pastCoordinates } from "../trend/boat-history.ts";
import { type Coordinates, offsetFrom, trackParts } from "../trend/own-track.ts";
import { measureText } from "../units.ts";
import { isDangerous } from "./danger.tsx";

/** Selects the next range, or the one before. */
export const zoom = (step: number): void =>
  changeSettings({ range: Math.min(ranges.length - 1, Math.max(0, settings.value.range + step)) });

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

/** The direction that is up, and own course and speed if known. */
function ownMotion(headUp: boolean, now: number) {
  const heading = latest.read("headingTrue", now);
  const cog = latest.read("cog", now);
  const sog = latest.read("sog", now);
  const course = cog.kind === "live" ? cog.value : undefined;
  const bow = heading.kind === "live" ? heading.value : course;
  return { bow, course, speed: sog.kind === "live" ? sog.value : undefined, turn: headUp ? -(bow ?? 0) : 0 };
}

/** Points of the track that are nearer to the one before, in pixels, are left out. */
const FINEST_TRACK = 1.5;

/** SVG path of own track over the last day, or of the part that this page has received; empty without a position. */
function trackPath(now: number, scale: number, turn: number): string {
  const here = latest.read("place", now);
  if (here.kind !== "live") return "";
  const angle = (turn * Math.PI) / 180;
  const onPlot = (point: Coordinates): { readonly x: number; readonly y: number } => {
    const { east, north } = offsetFrom(here.value, point);
    return {
      x: (east * Math.cos(angle) + north * Math.sin(angle)) * scale,
      y: (east * Math.sin(angle) - north * Math.cos(angle)) * scale,
    };
  };
  const heard = [...ownTrack.points, { ...here.value, at: now }];
  const parts = trackParts(pastCoordinates("latitude"), pastCoordinates("longitude"), heard, now);
  return parts.map((part) => pathOf(part.map(onPlot))).join("");
}

function pathOf(points: readonly { readonly x: number; readonly y: number }[]): string {
  let drawn = points[0]!;
  const kept = points.filter((point, index) => {
    const isEnd = index === 0 || index === points.length - 1;
    if (!isEnd && Math.hypot(point.x - drawn.x, point.y - drawn.y) < FINEST_TRACK) return false;
    drawn = point;
    return true;
  });
  return `M${kept.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
}

export function Plot({ targets, selected, select, now }: PlotProps) {
  const [box, { width, height }] = useSize();
  const { range: index, headUp, ahead } = settings.value;
  const range = ranges[index] ?? 2;
  const radius = Math.max(20, Math.min(width, height) / 2 - MARGIN);
  const scale = radius / range;
  const { bow, course, speed, turn } = ownMotion(headUp, now);
  const farthest = Math.hypot(width, height) / 2;
  const vector = (direction: number, knots: number) =>
    pointOnDial(direction + turn, Math.min(2 * farthest, (knots * ahead * scale) / 60));
  const own = course !== undefined && speed !== undefined ? vector(course, speed) : undefined;
  const shown = targets.flatMap((target) => {
    if (target.range === undefined || target.bearing === undefined) return [];
    const at = pointOnDial(target.bearing + turn, target.range * scale);
    return Math.abs(at.x) > width / 2 || Math.abs(at.y) > height / 2 ? [] : [{ target, at }];
  });
  const chosenFirst = shown.toSorted((a, b) => Number(b.target.mmsi === selected) - Number(a.target.mmsi === selected));
  const labels = placeLabels(
    chosenFirst
      .filter(({ target }) => target.class !== "AtoN" || target.mmsi === selected)
      .map(({ target, at }) => ({ ...at, id: target.mmsi, text: nameOf(target) })),
    [{ x: 0, y: 0 }, ...shown.map(({ at }) => at)],
    { width, height },
  );
  return (
    <div class="plot-box" ref={box}>
      <svg
        class="plot"
        viewBox={`${-width / 2} ${-height / 2} ${width} ${height}`}
        role="img"
        aria-label={`Ships within ${range} nautical miles, ${headUp ? "head" : "north"} up`}
        onWheel={(event) => zoom(Math.sign(event.deltaY))}
      >
        <Rings radius={radius} range={range} turn={turn} />
        <path class="own-track" data-id="own-track" d={trackPath(now, scale, turn)} />
        {bow !== undefined && <path class="heading-line" transform={`rotate(${bow + turn})`} d={`M0 0V${-farthest}`} />}
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
        {own && <path class="own-vector" d={`M0 0L${own.x} ${own.y}`} />}
        <path class="own" transform={`rotate(${(bow ?? 0) + turn})`} d="M0 -13L7 9Q0 5 -7 9Z" />
      </svg>
    </div>
  );
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
        {[0.5, 1].map((share) => (
          <text key={share} x={4} y={-radius * share + 14}>
            {measureText("distance", units, range * share)}
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
  readonly at: { readonly x: number; readonly y: number };
  readonly turn: number;
  readonly way: { readonly x: number; readonly y: number } | undefined;
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
      <path class="shape" transform={`rotate(${course})`} d={symbol(target)} />
      {isOld && <path class="crossed" d="M-11 8L11 -8" />}
    </g>
  );
}
