/** AIS targets: a plot around own ship, and a list by urgency. */
import { useState } from "preact/hooks";
import { pointOnDial } from "../angles.ts";
import { frameTick } from "../frame-tick.ts";
import { ageOf, ageText } from "../freshness.ts";
import { changeSettings, settings } from "../settings.ts";
import { boatClock, isDead, latest, store } from "../store.ts";
import { isClosing, isDangerous, nameOf, ranges, sortByUrgency, type Target } from "../traffic.ts";
import { bearingText, coordinateText, minutesText } from "../units.ts";

const RADIUS = 180;

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

function Plot({
  targets,
  selected,
  select,
  now,
}: {
  readonly targets: readonly Target[];
  readonly selected: number | undefined;
  readonly select: (mmsi: number) => void;
  readonly now: number;
}) {
  const { range: index, headUp, ahead, cpa, tcpa } = settings.value;
  const range = ranges[index] ?? 2;
  const scale = RADIUS / range;
  const heading = latest.read("headingTrue", now);
  const cog = latest.read("cog", now);
  const sog = latest.read("sog", now);
  const bow = heading.kind === "live" ? heading.value : cog.kind === "live" ? cog.value : undefined;
  const turn = headUp && bow !== undefined ? -bow : 0;
  const vector = (course: number, knots: number) =>
    pointOnDial(course, Math.min(4 * RADIUS, (knots * ahead * scale) / 60));
  return (
    <svg
      class="plot"
      viewBox="-200 -200 400 400"
      role="img"
      aria-label={`Ships within ${range} nautical miles, ${headUp ? "head" : "north"} up`}
      onWheel={(event) => zoom(Math.sign(event.deltaY))}
    >
      <clipPath id="scope">
        <circle r="199" />
      </clipPath>
      <g clip-path="url(#scope)">
        <g class="rings">
          {[0.25, 0.5, 0.75, 1].map((share) => (
            <circle key={share} r={RADIUS * share} />
          ))}
          <path d="M0 -180V180M-180 0H180" />
          {[0.5, 1].map((share) => (
            <text key={share} x={4} y={-RADIUS * share + 13}>
              {range * share} NM
            </text>
          ))}
        </g>
        <g transform={`rotate(${turn})`}>
          <g class="compass-points">
            {["N", "E", "S", "W"].map((name, quarter) => {
              const at = pointOnDial(quarter * 90, 190);
              return (
                <text key={name} text-anchor="middle" transform={`translate(${at.x} ${at.y}) rotate(${-turn})`} y={4}>
                  {name}
                </text>
              );
            })}
          </g>
          {bow !== undefined && (
            <g transform={`rotate(${bow})`}>
              <path class="heading-line" d="M0 0V-198" />
            </g>
          )}
          {cog.kind === "live" && sog.kind === "live" && (
            <path class="own-vector" d={`M0 0L${vector(cog.value, sog.value).x} ${vector(cog.value, sog.value).y}`} />
          )}
          <path class="own" transform={`rotate(${bow ?? 0})`} d="M0 -11L6 8Q0 4 -6 8Z" />
          {targets.map((target) => {
            if (target.range === undefined || target.bearing === undefined) return null;
            const at = pointOnDial(target.bearing, target.range * scale);
            if (Math.hypot(at.x, at.y) > 205) return null;
            // At the right edge the name is put to the left of the symbol, where it is not clipped.
            const isRight = pointOnDial(target.bearing + turn, target.range * scale).x > 100;
            const isMoving = target.class === "A" || target.class === "B" || target.class === "SAR";
            const course = isMoving ? (target.heading ?? target.cog ?? 0) : -turn;
            const kinds = [
              "target",
              `class-${target.class}`,
              isDangerous(target, { cpa, tcpa }) ? "danger" : "",
              target.mmsi === selected ? "selected" : "",
            ].join(" ");
            const way =
              target.cog !== undefined && target.sog !== undefined && target.sog > 0.2
                ? vector(target.cog, target.sog)
                : undefined;
            return (
              // biome-ignore lint/a11y/noStaticElementInteractions: the list serves keyboards and screen readers
              <g
                key={target.mmsi}
                class={kinds}
                data-mmsi={target.mmsi}
                transform={`translate(${at.x} ${at.y})`}
                onClick={() => select(target.mmsi)}
              >
                <circle class="touch" r="22" />
                {way && <path class="vector" d={`M0 0L${way.x} ${way.y}`} />}
                {target.mmsi === selected && (
                  <path
                    class="brackets"
                    transform={`rotate(${-turn})`}
                    d="M-16 -9V-16H-9M9 -16H16V-9M16 9V16H9M-9 16H-16V9"
                  />
                )}
                <path class="shape" transform={`rotate(${course})`} d={symbol(target)} />
                <text
                  class="target-name"
                  transform={`rotate(${-turn})`}
                  text-anchor={isRight ? "end" : "start"}
                  x={isRight ? -13 : 13}
                  y={16}
                >
                  {target.class === "AtoN" ? "" : nameOf(target)}
                </text>
              </g>
            );
          })}
        </g>
      </g>
    </svg>
  );
}

function Row({
  target,
  isSelected,
  select,
}: {
  readonly target: Target;
  readonly isSelected: boolean;
  readonly select: (mmsi: number) => void;
}) {
  const danger = isDangerous(target, settings.value);
  const { cpa, tcpa, range, bearing } = target;
  return (
    <li>
      <button
        type="button"
        class={`ship ${danger ? "danger" : ""}`}
        aria-pressed={isSelected}
        data-mmsi={target.mmsi}
        onClick={() => select(target.mmsi)}
      >
        <span class="ship-name">
          {nameOf(target)}
          <small>
            {danger && <span class="warn-mark">close</span>}
            {target.class === "A" || target.class === "B" ? `class ${target.class}` : target.class}
          </small>
        </span>
        <span class="col">
          <b>{isClosing(target) && cpa !== undefined ? cpa.toFixed(2) : "–"}</b>
          <small>CPA NM</small>
        </span>
        <span class="col">
          <b>{isClosing(target) ? minutesText(tcpa!) : "–"}</b>
          <small>in min</small>
        </span>
        <span class="col">
          <b>{range === undefined ? "–" : range.toFixed(1)}</b>
          <small>NM</small>
        </span>
        <span class="col">
          <b>{bearing === undefined ? "–" : bearingText(bearing)}</b>
          <small>bearing</small>
        </span>
      </button>
    </li>
  );
}

function Details({
  target,
  close,
  now,
}: {
  readonly target: Target;
  readonly close: () => void;
  readonly now: number;
}) {
  const { dimensions, position } = target;
  const seen = Math.max(0, (boatClock(now) - Date.parse(target.lastSeen)) / 1000);
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["MMSI", String(target.mmsi)],
    ["Call sign", target.callsign],
    ["IMO", target.imo?.toString()],
    ["Type", target.typeName],
    ["Status", target.navStatus],
    ["Destination", target.destination],
    ["Speed", target.sog === undefined ? undefined : `${target.sog.toFixed(1)} kn`],
    ["Course", target.cog === undefined ? undefined : `${bearingText(target.cog)}° true`],
    ["Heading", target.heading === undefined ? undefined : `${bearingText(target.heading)}° true`],
    ["Turning", target.rot === undefined ? undefined : `${target.rot}°/min`],
    [
      "Length, beam",
      dimensions?.length === undefined ? undefined : `${dimensions.length} m, ${dimensions.beam ?? "–"} m`,
    ],
    ["Draught", target.draft === undefined ? undefined : `${target.draft} m`],
    [
      "Position",
      position &&
        `${coordinateText(position.latitude, "latitude")}  ${coordinateText(position.longitude, "longitude")}`,
    ],
    ["Last heard", `${ageText(seen)} ago`],
  ];
  return (
    <section class="details" aria-label={`Details of ${nameOf(target)}`}>
      <header>
        <h2>{nameOf(target)}</h2>
        <button type="button" class="plain" onClick={close}>
          Close
        </button>
      </header>
      <dl>
        {rows.map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}

export function Ships() {
  const now = frameTick.value;
  const [selected, setSelected] = useState<number>();
  const { range, headUp, ahead, cpa, tcpa } = settings.value;
  const report = store.ais;
  const dead = report !== undefined && isDead(report, now);
  const targets = report === undefined ? [] : sortByUrgency(report.data.targets, { cpa, tcpa });
  const chosen = targets.find(({ mmsi }) => mmsi === selected);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "+" || event.key === "=") zoom(-1);
    else if (event.key === "-") zoom(1);
    else if (event.key === "h") changeSettings({ headUp: !headUp });
    else if (event.key === "Escape") setSelected(undefined);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shortcuts; each has a button too
    <div class={`ships ${dead ? "dead" : ""}`} onKeyDown={onKey}>
      <div class="scope">
        <Plot targets={targets} selected={selected} select={setSelected} now={now} />
        <div class="scope-tools">
          <button type="button" aria-label="Zoom in" onClick={() => zoom(-1)}>
            +
          </button>
          <button type="button" aria-label="Zoom out" onClick={() => zoom(1)}>
            −
          </button>
          <button type="button" aria-pressed={headUp} onClick={() => changeSettings({ headUp: !headUp })}>
            {headUp ? "Head up" : "North up"}
          </button>
          <button
            type="button"
            aria-label={`${ahead} min ahead for vectors`}
            onClick={() => changeSettings({ ahead: ahead === 3 ? 6 : ahead === 6 ? 12 : 3 })}
          >
            {ahead} min
          </button>
          <span class="range" data-id="range">
            {ranges[range]} NM
          </span>
        </div>
      </div>
      <div class="ship-list">
        {chosen && <Details target={chosen} close={() => setSelected(undefined)} now={now} />}
        <p class="list-head" data-id="ais-state">
          {report === undefined
            ? "No AIS report yet"
            : `${targets.length} stations · report ${ageText(ageOf(report.stamp, now))} old${dead ? " – dead" : ""}`}
        </p>
        <ul>
          {targets.map((target) => (
            <Row key={target.mmsi} target={target} isSelected={target.mmsi === selected} select={setSelected} />
          ))}
        </ul>
      </div>
    </div>
  );
}
