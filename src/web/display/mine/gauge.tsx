/**
 * An instrument as a gauge: a dial with a needle, its number below. The needle of a value beyond the scale is at its
 * end.
 */

import { useMemo } from "preact/hooks";
import { fixed } from "../../../core/text/quantity.ts";
import { instrumentMark, markClass } from "../alarms/places.ts";
import { frameTick } from "../data/frame-tick.ts";
import { settings } from "../data/settings.ts";
import type { Format } from "../instruments/instrument.ts";
import { type InstrumentName, instrumentOf } from "../instruments/instruments.ts";
import type { UnitChoice } from "../instruments/units.ts";
import { said, say } from "../languages/say.ts";
import { arc, pointOnDial } from "../parts/angles.ts";
import { Rows, textsOf } from "../parts/cell.tsx";
import { angleOn, type Dial, dialOf, numbersOn, turnOf } from "./dial.ts";
import { scales } from "./scales.ts";

const RADIUS = 90;

function dialOfInstrument(name: InstrumentName, { convert, isSided }: Format, units: UnitChoice): Dial {
  const scale = scales[name];
  if (scale === undefined) return turnOf(isSided === true);
  const [low, high] = scale;
  return dialOf(convert(low, units), convert(high, units));
}

/** Numbers of the dial: without a sign if the sign is a side, and without trailing zeros. */
const numberText = (value: number, isSided: boolean | undefined): string =>
  fixed(isSided ? Math.abs(value) : value, Number.isInteger(value) ? 0 : 1);

export function Gauge({ name }: { readonly name: InstrumentName }) {
  const now = frameTick.value;
  const { units } = settings.value;
  const instrument = instrumentOf(name);
  const { format } = instrument;
  const texts = textsOf(instrument, now);
  const { reading } = texts;
  const alarm = instrumentMark(name, now);
  const dial = useMemo(() => dialOfInstrument(name, format, units), [name, units]);
  const face = useMemo(
    () =>
      numbersOn(dial).map((value) => {
        const angle = angleOn(dial, value);
        const [outer, inner, text] = [RADIUS, RADIUS - 10, RADIUS - 24].map((radius) => pointOnDial(angle, radius));
        return (
          <g key={value}>
            <line class="tick strong" x1={outer!.x} y1={outer!.y} x2={inner!.x} y2={inner!.y} />
            <text class="card" text-anchor="middle" x={text!.x} y={text!.y + 5}>
              {numberText(value, format.isSided)}
            </text>
          </g>
        );
      }),
    [dial],
  );
  const isTurn = dial.to - dial.from === 360;
  return (
    <a
      class={`cell gauge readout ${texts.look} ${markClass(alarm)}`}
      href={`#/value/${name}`}
      title={say("{name}, alone", { name: said(instrument.name) })}
      data-id={`gauge/${name}`}
      data-kind={reading.kind}
    >
      <svg viewBox={isTurn ? "-100 -100 200 200" : "-100 -100 200 154"} class="dial" aria-hidden="true">
        {isTurn ? <circle class="rim" r={RADIUS} /> : <path class="rim" d={arc(dial.from, dial.to, RADIUS)} />}
        {face}
        {reading.kind === "live" && (
          <path
            class="pointer"
            data-needle={name}
            transform={`rotate(${angleOn(dial, format.convert(reading.value, units))})`}
            d={`M0 ${-RADIUS + 4}l-7 24h14ZM0 ${-RADIUS + 28}V-38`}
          />
        )}
      </svg>
      <Rows id={name} instrument={instrument} alarm={alarm} texts={texts} now={now} />
    </a>
  );
}
