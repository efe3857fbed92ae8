/**
 * The compass rose, bow up: the compass card turns around the boat. Needles show where apparent and true wind come
 * from, marks where the waypoint lies and where the current sets. Angles are unwrapped, so that no needle spins through
 * a whole turn at north or astern.
 */

import { useMemo } from "preact/hooks";
import { frameTick } from "../data/frame-tick.ts";
import type { Reading } from "../data/freshness.ts";
import { settings } from "../data/settings.ts";
import { type InstrumentName, instrumentOf, instruments, readTrue } from "../instruments/instruments.ts";
import { bearingText, withUnit } from "../instruments/units.ts";
import { say } from "../languages/say.ts";
import { arc, createAngleUnwrapper, pointOnDial } from "./angles.ts";
import { lazy } from "./lazy.tsx";
import { Numerals } from "./numerals.tsx";

/** Loaded after the first page, because they need some seconds of wind. */
const SailingMarks = lazy(
  () => import("../sailing/sailing-marks.tsx").then(({ SailingMarks: View }) => View),
  () => null,
);
const SailingCorners = lazy(
  () => import("../sailing/sailing-marks.tsx").then(({ SailingCorners: View }) => View),
  () => null,
);

const CARD = 178;
const WIND = 142;

const ticks = Array.from({ length: 72 }, (_, index) => index * 5);
const names: Readonly<Record<number, string>> = { 0: "N", 90: "E", 180: "S", 270: "W" };

/** The unwrapped direction; undefined unless it is live. */
function useUnwrapped(reading: Reading<number>): number | undefined {
  const follow = useMemo(createAngleUnwrapper, []);
  return reading.kind === "live" ? follow(reading.value) : undefined;
}

/** Made once for each rose, because only the angle of the card changes; a shared card would keep its page in memory. */
const makeCard = () => (
  <g>
    {ticks.map((degrees) => {
      const from = pointOnDial(degrees, CARD);
      const to = pointOnDial(degrees, CARD - (degrees % 30 === 0 ? 15 : degrees % 10 === 0 ? 10 : 5));
      return (
        <line
          key={degrees}
          x1={from.x}
          y1={from.y}
          x2={to.x}
          y2={to.y}
          class={degrees % 30 === 0 ? "tick strong" : "tick"}
        />
      );
    })}
    {ticks
      .filter((degrees) => degrees % 30 === 0)
      .map((degrees) => (
        <g key={degrees} transform={`rotate(${degrees}) translate(0 ${-(CARD - 30)})`}>
          <text class={names[degrees] === undefined ? "card" : "card cardinal"} text-anchor="middle" y={5}>
            {names[degrees] ?? String(degrees)}
          </text>
        </g>
      ))}
    <path class="north" d={`M0 ${-CARD - 3}l-9 -15h18Z`} />
  </g>
);

/** The waypoint among winds has no line. */
const waypointPaths = {
  winds: `M0 ${-CARD + 2}l-13 -20h26Z`,
  route: `M0 ${-CARD + 2}l-13 -20h26ZM0 ${-CARD + 4}V-70`,
} as const;

const hull = "M0 -62C20 -38 27 -6 25 26C24 44 20 56 14 64H-14C-20 56 -24 44 -25 26C-27 -6 -20 -38 0 -62Z";

interface NeedleProps {
  readonly name: string;
  readonly angle: number | undefined;
  readonly path: string;
  readonly letter: string;
  readonly letterAt: number;
}

function Needle({ name, angle, path, letter, letterAt }: NeedleProps) {
  if (angle === undefined) return null;
  return (
    <g data-needle={`${name}-wind`} transform={`rotate(${angle})`} class={`needle ${name}`}>
      <path d={path} />
      <text y={letterAt} text-anchor="middle">
        {letter}
      </text>
    </g>
  );
}

/** A mark on the card, at a true direction where the card shows true north. */
function CardMark({
  name,
  angle,
  path,
}: {
  readonly name: string;
  readonly angle: number | undefined;
  readonly path: string;
}) {
  if (angle === undefined) return null;
  return <path data-needle={name} class={name} transform={`rotate(${angle})`} d={path} />;
}

const CURRENT = "M0 -10l-12 20h7v26h10v-26h7Z";

/** The legend of the arrow of the current, with its speed. */
function CurrentKey({ now }: { readonly now: number }) {
  const drift = instruments.currentDrift.read(now);
  return (
    <p class="corner current-key" data-id="current">
      <small>
        <svg viewBox="-14 -12 28 50" aria-hidden="true">
          <path class="current" d={CURRENT} />
        </svg>
        {` ${say("Current")}`}
      </small>
      {drift.kind === "live" && <b>{withUnit("speed", settings.value.units, drift.value)}</b>}
    </p>
  );
}

export interface RoseProps {
  /** Winds with the values derived for sailing, or a route alone. */
  readonly shows: "winds" | "route";
}

export function Rose({ shows }: RoseProps) {
  const now = frameTick.value;
  const [near, far] = settings.value.sector;
  const card = useMemo(makeCard, []);
  const read = (one: InstrumentName): Reading<number> => instrumentOf(one).read(now);
  const trueReading = read("headingTrue");
  const magneticReading = read("headingMagnetic");
  const headingTrue = useUnwrapped(trueReading);
  const headingMagnetic = useUnwrapped(magneticReading);
  const isMagnetic = headingTrue === undefined && headingMagnetic !== undefined;
  const heading = headingTrue ?? headingMagnetic;
  const cog = useUnwrapped(read("cog"));
  const waypoint = useUnwrapped(readTrue(instruments.waypointBearing, now));
  const current = useUnwrapped(readTrue(instruments.currentSet, now));
  const apparent = useUnwrapped(read("apparentAngle"));
  const wind = useUnwrapped(read("trueAngle"));
  const reading = isMagnetic ? magneticReading : trueReading;
  const shown = "value" in reading ? bearingText(reading.value) : "–––";
  return (
    <figure class={`rose ${reading.kind}`} data-id="heading" data-kind={reading.kind}>
      <svg
        viewBox="-205 -205 410 410"
        role="img"
        aria-label={
          shows === "winds" ? say("Compass with apparent and true wind") : say("Compass with waypoint and current")
        }
      >
        {shows === "winds" && (
          <>
            <path class="sector port" d={arc(-far, -near, CARD + 12)} />
            <path class="sector starboard" d={arc(near, far, CARD + 12)} />
          </>
        )}
        <circle class="rim" r={CARD} />
        {heading !== undefined && (
          <g data-needle="heading" transform={`rotate(${-heading})`}>
            {card}
            {/* The other directions are true, and a magnetic card lacks the variation to place them. */}
            {!isMagnetic && <CardMark name="cog" angle={cog} path={`M0 ${-CARD - 4}l8 11l-8 11l-8 -11Z`} />}
            {!isMagnetic && shows === "winds" && <SailingMarks />}
            {!isMagnetic && (
              <>
                <CardMark name="waypoint" angle={waypoint} path={waypointPaths[shows]} />
                <CardMark name="current" angle={current} path={CURRENT.replace("-10", "-118")} />
              </>
            )}
          </g>
        )}
        <path class="hull" d={hull} transform="scale(1.5)" />
        <path class="lubber" d={`M0 ${-CARD + 2}V${-118}`} />
        {shows === "winds" && (
          <>
            <Needle
              name="true"
              angle={wind}
              path={`M0 ${-WIND + 48}l-15 -46q15 8 30 0Z`}
              letter="T"
              letterAt={-WIND + 22}
            />
            <Needle
              name="apparent"
              angle={apparent}
              path={`M0 ${-WIND + 60}l-17 -60q17 9 34 0Z`}
              letter="A"
              letterAt={-WIND + 26}
            />
          </>
        )}
      </svg>
      {shows === "winds" && <SailingCorners />}
      {current !== undefined && heading !== undefined && !isMagnetic && <CurrentKey now={now} />}
      <figcaption>
        <span class="heading-number">
          <Numerals
            text={shown}
            spoken={
              reading.kind === "live" ? say("heading {degrees} degrees", { degrees: shown }) : say("heading lost")
            }
          />
        </span>
        <span class="north-name">
          {reading.kind === "live"
            ? isMagnetic
              ? say("° magnetic")
              : say("° true")
            : reading.kind === "dead"
              ? say("heading lost")
              : say("no heading")}
        </span>
      </figcaption>
    </figure>
  );
}
