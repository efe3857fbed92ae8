/** AIS targets: a plot around own ship, and a list by urgency or the details of one. */
import { useEffect, useRef, useState } from "preact/hooks";
import { pointOnDial } from "../angles.ts";
import { Facts } from "../facts.tsx";
import { frameTick } from "../frame-tick.ts";
import { ageOf, ageText } from "../freshness.ts";
import { placeLabels } from "../labels.ts";
import { type Coordinates, offsetFrom, trackParts } from "../own-track.ts";
import { pastPoints } from "../past.ts";
import { changeSettings, settings } from "../settings.ts";
import { boatClock, isDead, latest, ownTrack, store } from "../store.ts";
import { isClosing, isDangerous, isLost, nameOf, ranges, sortByUrgency, type Target } from "../traffic.ts";
import type { TrendPoint } from "../trend-points.ts";
import { bearingText, convert, coordinateText, measureText, minutesText, withUnit } from "../units.ts";

const zoom = (step: number): void =>
  changeSettings({ range: Math.min(ranges.length - 1, Math.max(0, settings.value.range + step)) });

/** SVG path of the symbol of a station, bow up. */
function symbol({ class: kind, cog, heading, sog }: Target): string {
  const hasCourse = (heading ?? cog) !== undefined && (kind !== "B" || (sog ?? 0) >= 0);
  switch (kind) {
    case "AtoN":
      return "M0 -8L8 0L0 8L-8 0ZM0 -4V4M-4 0H4";
    case "Base":
      return "M-7 -7H7V7H-7ZM0 -1v2";
    case "SAR":
      return "M0 -12L3 -3L13 2V5L3 3L2 9L5 12H-5L-2 9L-3 3L-13 5V2L-3 -3Z";
    case "SART":
      return "M-8 -8L8 8M8 -8L-8 8M0 -11A11 11 0 1 1 -.1 -11Z";
    default:
      if (!hasCourse) return "M0 -6A6 6 0 1 1 -.1 -6Z";
      return kind === "A" ? "M0 -14L8 10H-8Z" : "M0 -11L6 8L0 4L-6 8Z";
  }
}

/** Pixels between the outer ring and the edge, for the letters of the compass points. */
const MARGIN = 18;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of an element, so that the plot is drawn in pixels and its letters are as large as others. */
function useSize(): readonly [{ readonly current: HTMLDivElement | null }, Size] {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>({ width: 400, height: 400 });
  useEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, size];
}

const isShip = ({ class: kind }: Target): boolean => kind === "A" || kind === "B" || kind === "SAR";

interface PlotProps {
  /** By urgency. */
  readonly targets: readonly Target[];
  readonly selected: number | undefined;
  readonly select: (mmsi: number) => void;
  readonly now: number;
}

/** Direction up, and own course and speed where they are known. */
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

/** The position of the last day in the history of the boat, one coordinate. */
const recordedCoordinate = (name: "latitude" | "longitude"): readonly TrendPoint[] =>
  pastPoints({ metric: `navigation_position_${name}`, isAngle: true }, "day", "1m");

/** SVG path of own track over the last day, or as far as this page has heard; empty without a position. */
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
  const parts = trackParts(recordedCoordinate("latitude"), recordedCoordinate("longitude"), heard, now);
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

function Plot({ targets, selected, select, now }: PlotProps) {
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
        {/* The most urgent is drawn last, above the others; own ship above all. */}
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
              class={`target-name ${isDangerous(target, settings.value) ? "danger" : ""}`}
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
    isDangerous(target, settings.value) ? "danger" : "",
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
      {way && !isOld && <path class="vector" d={`M0 0L${way.x} ${way.y}`} />}
      {isSelected && <path class="brackets" d="M-17 -10V-17H-10M10 -17H17V-10M17 10V17H10M-10 17H-17V10" />}
      <path class="shape" transform={`rotate(${course})`} d={symbol(target)} />
      {isOld && <path class="crossed" d="M-11 8L11 -8" />}
    </g>
  );
}

interface ColumnProps {
  readonly name: string;
  readonly children: string;
  readonly isLast?: boolean;
}

function Column({ name, children, isLast = false }: ColumnProps) {
  return (
    <span class={isLast ? "col last" : "col"}>
      <b>{children}</b>
      <small>{name}</small>
    </span>
  );
}

interface RowProps {
  readonly target: Target;
  readonly select: (mmsi: number) => void;
  readonly now: number;
}

function Row({ target, select, now }: RowProps) {
  const { units } = settings.value;
  const danger = isDangerous(target, settings.value);
  const isOld = isLost(target, boatClock(now));
  const { cpa, tcpa, range, bearing } = target;
  const isNearing = isClosing(target);
  return (
    <li>
      <button
        type="button"
        class={`ship ${danger ? "danger" : ""} ${isOld ? "old" : ""}`}
        data-ship={target.mmsi}
        onClick={() => select(target.mmsi)}
      >
        <span class="ship-name">
          <span>{nameOf(target)}</span>
          <small>
            {danger && <span class="warn-mark">close</span>}
            {isOld
              ? `lost ${ageText(secondsSince(target, now))} ago`
              : target.class === "A" || target.class === "B"
                ? `class ${target.class}`
                : target.class}
          </small>
        </span>
        <Column name={`CPA ${units.distance}`}>{isNearing && cpa !== undefined ? hundredths(cpa) : "–"}</Column>
        <Column name="TCPA">{isNearing ? minutesText(tcpa!) : "–"}</Column>
        <Column name={units.distance}>{range === undefined ? "–" : measureText("distance", units, range)}</Column>
        <Column name="bearing" isLast>
          {bearing === undefined ? "–" : bearingText(bearing)}
        </Column>
      </button>
    </li>
  );
}

const secondsSince = (target: Target, now: number): number =>
  Math.max(0, (boatClock(now) - Date.parse(target.lastSeen)) / 1000);

/** A distance of approach, finer than others. */
const hundredths = (miles: number): string => convert("distance", settings.value.units, miles).toFixed(2);

interface DetailsProps {
  readonly target: Target;
  readonly close: () => void;
  readonly now: number;
}

/** The details take the place of the list, so that they are in sight whichever row was tapped; they take the focus. */
function Details({ target, close, now }: DetailsProps) {
  const { units } = settings.value;
  const { dimensions, position, cpa, tcpa } = target;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), [target.mmsi]);
  const meters = (value: number): string => withUnit("depth", units, value);
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["Distance", target.range === undefined ? undefined : withUnit("distance", units, target.range)],
    ["Bearing", target.bearing === undefined ? undefined : `${bearingText(target.bearing)}° true`],
    [
      "Closest approach",
      isClosing(target) && cpa !== undefined
        ? `${hundredths(cpa)}\u202f${units.distance} in ${minutesText(tcpa!)}`
        : undefined,
    ],
    ["Speed", target.sog === undefined ? undefined : withUnit("speed", units, target.sog)],
    ["Course", target.cog === undefined ? undefined : `${bearingText(target.cog)}° true`],
    ["Heading", target.heading === undefined ? undefined : `${bearingText(target.heading)}° true`],
    ["Turning", target.rot === undefined ? undefined : `${target.rot}°/min`],
    ["MMSI", String(target.mmsi)],
    ["Call sign", target.callsign],
    ["IMO", target.imo?.toString()],
    ["Type", target.typeName],
    ["Status", target.navStatus],
    ["Destination", target.destination],
    ["Length", dimensions?.length === undefined ? undefined : meters(dimensions.length)],
    ["Beam", dimensions?.beam === undefined ? undefined : meters(dimensions.beam)],
    ["Draught", target.draft === undefined ? undefined : meters(target.draft)],
    [
      "Position",
      position &&
        `${coordinateText(position.latitude, "latitude")}  ${coordinateText(position.longitude, "longitude")}`,
    ],
    ["Last heard", `${ageText(secondsSince(target, now))} ago`],
  ];
  return (
    <section class="details" aria-label={`Details of ${nameOf(target)}`}>
      <header>
        <button type="button" class="plain" ref={button} onClick={close}>
          Back
        </button>
        <h2>{nameOf(target)}</h2>
        {isDangerous(target, settings.value) && <span class="warn-mark">close</span>}
      </header>
      <Facts rows={rows.filter((row): row is readonly [string, string] => row[1] !== undefined)} />
    </section>
  );
}

function ScopeTools() {
  const { range, headUp, ahead, units } = settings.value;
  return (
    <div class="scope-tools">
      <button type="button" aria-label="Zoom in" onClick={() => zoom(-1)}>
        +
      </button>
      <button type="button" aria-label="Zoom out" onClick={() => zoom(1)}>
        −
      </button>
      <button
        type="button"
        aria-label={headUp ? "Head up" : "North up"}
        aria-pressed={headUp}
        onClick={() => changeSettings({ headUp: !headUp })}
      >
        {headUp ? "Head" : "North"}
      </button>
      <button
        type="button"
        aria-label={`Vectors of ${ahead} min`}
        onClick={() => changeSettings({ ahead: ahead === 3 ? 6 : ahead === 6 ? 12 : 3 })}
      >
        {ahead} min
      </button>
      <span class="range" data-id="range">
        {measureText("distance", units, ranges[range] ?? 2).replace(/\.0$/, "")} {units.distance}
      </span>
    </div>
  );
}

export function Ships() {
  const now = frameTick.value;
  const [selected, setSelected] = useState<number>();
  const { headUp, cpa, tcpa } = settings.value;
  const report = store.ais;
  const dead = report !== undefined && isDead(report, now);
  const targets = report === undefined ? [] : sortByUrgency(report.data.targets, { cpa, tcpa });
  const chosen = targets.find(({ mmsi }) => mmsi === selected);
  const list = useRef<HTMLUListElement>(null);
  const left = useRef<number>(undefined);
  // After the list is back, its row has the focus again, which scrolls to it.
  useEffect(() => {
    if (chosen !== undefined || left.current === undefined) return;
    list.current?.querySelector<HTMLElement>(`[data-ship="${left.current}"]`)?.focus();
    left.current = undefined;
  }, [chosen === undefined]);
  const close = (): void => {
    left.current = selected;
    setSelected(undefined);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "+" || event.key === "=") zoom(-1);
    else if (event.key === "-") zoom(1);
    else if (event.key === "h") changeSettings({ headUp: !headUp });
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shortcuts; each has a button too
    <div class={`ships ${dead ? "dead" : ""}`} onKeyDown={onKey}>
      <div class="scope">
        <Plot targets={targets} selected={selected} select={setSelected} now={now} />
        <ScopeTools />
      </div>
      {chosen ? (
        <Details target={chosen} close={close} now={now} />
      ) : (
        <div class="ship-list">
          <p class="list-head" data-id="ais-state">
            {report === undefined
              ? "No AIS report yet"
              : `${targets.length} stations · report ${ageText(ageOf(report.stamp, now))} old${dead ? " – dead" : ""}`}
          </p>
          <ul ref={list}>
            {targets.map((target) => (
              <Row key={target.mmsi} target={target} select={setSelected} now={now} />
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
