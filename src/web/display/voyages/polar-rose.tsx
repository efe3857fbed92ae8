/** The polar of what was sailed: a line for each force of the wind, what was left out and why, and all of it as CSV. */
import { radians } from "../../../core/nav/angles.ts";
import { rounded } from "../../../core/util/rounded.ts";
import type { LeftOutReason, Polar } from "../../../core/voyages/polar.ts";
import { settings } from "../data/settings.ts";
import { measureText } from "../instruments/units.ts";
import { numberText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";
import { Facts } from "../parts/facts.tsx";
import { hoursText } from "./hours.ts";
import { POLAR_HREF, polar } from "./voyage-api.ts";

const RADIUS = 180;
const RINGS = 4;
const rays = [45, 90, 135];
/** From the outer ring to the angles: the number of a line that ends at the ring is before them. */
const BEYOND_LINES = 34;

const leftOutText = (reason: LeftOutReason): string =>
  ({
    "at rest": say("At rest"),
    "engine on": say("Engine on"),
    "no true wind": say("No true wind"),
    "no speed through the water": say("No speed through the water"),
    "no heading": say("No heading"),
    turning: say("Changing course"),
    "too few seconds": say("Less than half a minute"),
  })[reason];

type Point = readonly [x: number, y: number];

/** Bow up, port and starboard together on the right side; to a tenth of a unit. */
const pointAt = (angle: number, radius: number): Point => [
  rounded(radius * Math.sin(radians(angle)), 1),
  rounded(-radius * Math.cos(radians(angle)), 1),
];

const placeAt = (angle: number, radius: number): string => pointAt(angle, radius).join(" ");

/** Least distance of the middle of a number from that of another one, and from a dot. */
const NUMBER_SPACE = 18;
const DOT_SPACE = 11;
/** From the end of a line to its number, and from there to where it finds more room. */
const BEYOND_END = 12;

const isClear = ([x, y]: Point, of: readonly Point[], space: number): boolean =>
  of.every(([otherX, otherY]) => Math.hypot(x - otherX, y - otherY) >= space);

interface Dot {
  readonly angle: number;
  readonly radius: number;
}

/** The places of the numbers of lines, at their last dots, or further outwards where something else stands. */
function numberPlaces(lines: readonly (readonly Dot[])[], ringRadii: readonly number[]): readonly Point[] {
  const dots = lines.flat().map(({ angle, radius }) => pointAt(angle, radius));
  const numbers: Point[] = [
    ...ringRadii.map((radius): Point => [-8, radius]),
    ...rays.map((angle) => pointAt(angle, RADIUS + BEYOND_LINES)),
  ];
  return lines.map((line) => {
    const { angle, radius } = line.at(-1)!;
    let beyond = BEYOND_END;
    const place = (): Point => pointAt(angle, radius + beyond);
    while (!isClear(place(), numbers, NUMBER_SPACE) || !isClear(place(), dots, DOT_SPACE)) beyond += 2;
    numbers.push(place());
    return place();
  });
}

function Rose({ cells }: Pick<Polar, "cells">) {
  const { units } = settings.value;
  const most = cells.reduce((largest, { knots }) => Math.max(largest, knots), 1);
  const forces = [...new Set(cells.map(({ force }) => force))].sort((one, other) => one - other);
  const rings = Array.from({ length: RINGS }, (_, at) => (most * (at + 1)) / RINGS);
  const lines = forces.map((force) => cells.filter((cell) => cell.force === force));
  const radiusOf = (knots: number): number => (RADIUS * knots) / most;
  const places = numberPlaces(
    lines.map((line) => line.map(({ angle, knots }) => ({ angle, radius: radiusOf(knots) }))),
    rings.map(radiusOf),
  );
  return (
    <svg class="polar-rose" viewBox="-20 -200 260 400" role="img" aria-label={say("Speed by the true wind")}>
      {rings.map((knots) => {
        const radius = radiusOf(knots);
        return (
          <g key={knots}>
            <path class="ring" d={`M0 ${-radius}A${radius} ${radius} 0 0 1 0 ${radius}`} />
            <text x={-2} y={radius + 4} text-anchor="end">
              {numberText(measureText("speed", units, knots))}
            </text>
          </g>
        );
      })}
      {rays.map((angle) => (
        <g key={angle}>
          <path class="ring" d={`M0 0L${placeAt(angle, RADIUS)}`} />
          <text {...placed(angle, RADIUS + BEYOND_LINES)} text-anchor="middle">{`${angle}°`}</text>
        </g>
      ))}
      {forces.map((force, at) => {
        const line = lines[at]!;
        const [x, y] = places[at]!;
        return (
          <g key={force} class={`force-${force % 4}`}>
            {line.length > 1 && (
              <polyline points={line.map(({ angle, knots }) => placeAt(angle, radiusOf(knots))).join(" ")} />
            )}
            {line.map(({ angle, knots }) => (
              <circle key={angle} r="3" {...centre(angle, radiusOf(knots))} />
            ))}
            <text x={x} y={y + 4} text-anchor="middle">
              {force}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

const placed = (angle: number, radius: number) => {
  const [x, y] = pointAt(angle, radius);
  return { x, y: y + 4 };
};

const centre = (angle: number, radius: number) => {
  const [cx, cy] = pointAt(angle, radius);
  return { cx, cy };
};

export function PolarRose() {
  const known = polar.value;
  if (typeof known !== "object" || (known.cells.length === 0 && known.leftOut.length === 0)) return null;
  const sailed = known.cells.reduce((sum, { seconds }) => sum + seconds, 0);
  return (
    <section class="unit voyage-polar">
      <h2>{say("Polar of what was sailed")}</h2>
      <p>
        {say("Speed through the water by the angle of the true wind; the number of a line is the force of the wind.")}
      </p>
      <div class="voyage-figures">
        {known.cells.length > 0 && <Rose cells={known.cells} />}
        <div>
          <Facts rows={[[say("Counted"), hoursText(sailed)]]} />
          {known.leftOut.length > 0 && <h3>{say("Left out")}</h3>}
          <Facts
            rows={known.leftOut.map(({ reason, seconds }) => [leftOutText(reason), hoursText(seconds)] as const)}
          />
          <p>
            <a download href={POLAR_HREF}>
              {say("Polar as CSV")}
            </a>
          </p>
        </div>
      </div>
    </section>
  );
}
