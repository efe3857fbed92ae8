/**
 * The compass rose, bow up: the compass card turns around the boat, needles show where apparent and true wind come from.
 * Angles are unwrapped, so that no needle spins through a whole turn at north or astern.
 */
import { useMemo } from "preact/hooks";
import { arc, createAngleUnwrapper, pointOnDial } from "./angles.ts";
import { frameTick } from "./frame-tick.ts";
import { Numerals } from "./numerals.tsx";
import type { QuantityName } from "./quantities.ts";
import { latest } from "./store.ts";
import { bearingText } from "./units.ts";

const CARD = 178;
const WIND = 142;

const ticks = Array.from({ length: 72 }, (_, index) => index * 5);
const names: Readonly<Record<number, string>> = { 0: "N", 90: "E", 180: "S", 270: "W" };

/** The unwrapped direction; undefined unless it is live. */
function useUnwrapped(
  name: "headingTrue" | "headingMagnetic" | "cog" | "apparentAngle" | "trueAngle",
): number | undefined {
  const follow = useMemo(createAngleUnwrapper, []);
  const reading = latest.read(name as QuantityName, frameTick.value);
  return reading.kind === "live" ? follow(reading.value as number) : undefined;
}

/** Made once, because only the angle of the card changes. */
const card = (
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

const hull = "M0 -62C20 -38 27 -6 25 26C24 44 20 56 14 64H-14C-20 56 -24 44 -25 26C-27 -6 -20 -38 0 -62Z";

export function Rose() {
  const now = frameTick.value;
  const headingTrue = useUnwrapped("headingTrue");
  const headingMagnetic = useUnwrapped("headingMagnetic");
  const heading = headingTrue ?? headingMagnetic;
  const cog = useUnwrapped("cog");
  const apparent = useUnwrapped("apparentAngle");
  const wind = useUnwrapped("trueAngle");
  const name = headingTrue === undefined && headingMagnetic !== undefined ? "headingMagnetic" : "headingTrue";
  const reading = latest.read(name, now);
  const shown = "value" in reading ? bearingText(reading.value as number) : "–––";
  return (
    <figure class={`rose ${reading.kind}`} data-id="heading" data-kind={reading.kind}>
      <svg viewBox="-205 -205 410 410" role="img" aria-label="Compass with apparent and true wind">
        <path class="sector port" d={arc(-60, -22, CARD + 12)} />
        <path class="sector starboard" d={arc(22, 60, CARD + 12)} />
        <circle class="rim" r={CARD} />
        {heading !== undefined && (
          <g data-needle="heading" transform={`rotate(${-heading})`}>
            {card}
            {cog !== undefined && (
              <path
                data-needle="cog"
                class="cog"
                transform={`rotate(${cog})`}
                d={`M0 ${-CARD - 4}l8 11l-8 11l-8 -11Z`}
              />
            )}
          </g>
        )}
        <circle class="well" r={118} />
        <path class="hull" d={hull} transform="scale(1.5)" />
        <path class="lubber" d={`M0 ${-CARD + 2}V${-118}`} />
        {wind !== undefined && (
          <g data-needle="true-wind" transform={`rotate(${wind})`} class="needle true">
            <path d={`M0 ${-WIND + 48}l-15 -46q15 8 30 0Z`} />
            <text y={-WIND + 22} text-anchor="middle">
              T
            </text>
          </g>
        )}
        {apparent !== undefined && (
          <g data-needle="apparent-wind" transform={`rotate(${apparent})`} class="needle apparent">
            <path d={`M0 ${-WIND + 60}l-17 -60q17 9 34 0Z`} />
            <text y={-WIND + 26} text-anchor="middle">
              A
            </text>
          </g>
        )}
      </svg>
      <figcaption>
        <span class="heading-number">
          <Numerals text={shown} spoken={reading.kind === "live" ? `heading ${shown} degrees` : "heading lost"} />
        </span>
        <span class="north-name">
          {reading.kind === "live"
            ? name === "headingTrue"
              ? "° true"
              : "° magnetic"
            : reading.kind === "dead"
              ? "heading lost"
              : "no heading"}
        </span>
      </figcaption>
    </figure>
  );
}
