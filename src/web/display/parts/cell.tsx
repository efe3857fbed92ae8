/**
 * An instrument as a cell: label, number with unit, source. A tap shows it alone. A cell always has three rows, so that
 * the loss of a value moves nothing.
 */

import { AlarmMark } from "../alarms/alarm-mark.tsx";
import type { ActiveAlarm } from "../alarms/alarms.ts";
import { instrumentMark, markClass } from "../alarms/places.ts";
import { frameTick } from "../data/frame-tick.ts";
import { isAgeTold, type Reading } from "../data/freshness.ts";
import { settings } from "../data/settings.ts";
import { type Instrument, isImplausibleNow, sideNow } from "../instruments/instrument.ts";
import { type InstrumentName, instrumentOf } from "../instruments/instruments.ts";
import { durationText, numberText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import { Numerals, numeralsWidth } from "./numerals.tsx";

/** The state of a reading in words; empty for a live one. */
export function stateText(reading: Reading<unknown>): string {
  switch (reading.kind) {
    case "live":
      return "";
    case "unknown":
      return say("not known");
    case "dead":
      return say("lost {duration} ago", { duration: durationText(reading.age) });
    case "none":
      return say("no data");
  }
}

const sideNames = { port: "port", stbd: "starboard" } as const;

/** Number, unit, side and state of an instrument, as text. */
export function textsOf(instrument: Instrument, now: number) {
  const { units } = settings.value;
  const reading = instrument.read(now);
  const isShown = "value" in reading;
  const text = isShown ? numberText(instrument.format.text(reading.value, units)) : "––";
  const unit = isShown && instrument.unit !== undefined ? instrument.unit(now) : instrument.format.unit(units);
  const side = sideNow(instrument, reading);
  const isImplausible = isImplausibleNow(instrument, reading);
  const state = isImplausible ? say("implausible") : stateText(reading);
  const spoken =
    reading.kind === "live" && !isImplausible
      ? side === undefined
        ? text
        : `${text} ${say(sideNames[side])}`
      : `${state} ${isShown ? text : ""}`;
  const look = isImplausible ? "implausible" : reading.kind;
  return { reading, look, text, unit, side, state, spoken };
}

/**
 * Three digits with the mark of a side, or two with a decimal: shorter numbers have the size of these, so that none
 * jumps.
 */
const USUAL_WIDTH = 2.44;

/** A number on the side of the boat that it means, recognizable from a distance. */
const sidedText = (text: string, side: keyof typeof sideNames | undefined): string =>
  side === undefined ? text : side === "port" ? `‹${text}` : `${text}›`;

function Figure({ text, spoken }: { readonly text: string; readonly spoken: string }) {
  return (
    <p class="figure" style={{ "--wide": String(Math.max(USUAL_WIDTH, numeralsWidth(text))) }}>
      <span class="number">
        <Numerals text={text} spoken={spoken} />
      </span>
    </p>
  );
}

interface FootProps extends ReadoutProps {
  readonly alarm: ActiveAlarm | undefined;
  readonly texts: ReturnType<typeof textsOf>;
  readonly now: number;
}

/**
 * Unit, side or reference of the value, its source, its age if that matters, and the state of a value that is not live.
 */
function Foot({ id, instrument, alarm, texts: { unit, side, state }, now }: FootProps) {
  const source = instrument.source(now);
  const note = instrument.note?.(now);
  return (
    <p class="foot">
      <AlarmMark alarm={alarm} />
      {unit !== undefined && <span class="unit">{unit}</span>}
      {side !== undefined && <span class={`side ${side}`}>{say(side)}</span>}
      {state !== "" && <span class="value-state">{state}</span>}
      {state === "" && note !== undefined && <span class="note">{note}</span>}
      {state === "" && (
        <span class="source" data-source={id}>
          {source && (
            <>
              <span class="source-name">{source.name}</span>
              {isAgeTold(source.age) && <span class="age">{durationText(source.age)}</span>}
            </>
          )}
        </span>
      )}
    </p>
  );
}

interface ReadoutProps {
  readonly id: string;
  readonly instrument: Instrument;
}

/** An instrument that cannot be tapped. */
export function Readout({ id, instrument }: ReadoutProps) {
  const now = frameTick.value;
  const texts = textsOf(instrument, now);
  return (
    <div class={`cell readout ${texts.look}`} data-id={id} data-kind={texts.reading.kind}>
      <Rows id={id} instrument={instrument} alarm={undefined} texts={texts} now={now} />
    </div>
  );
}

export function Cell({ name, area }: { readonly name: InstrumentName; readonly area?: string }) {
  const now = frameTick.value;
  const instrument = instrumentOf(name);
  const texts = textsOf(instrument, now);
  const alarm = instrumentMark(name, now);
  return (
    <a
      class={`cell readout ${texts.look} ${markClass(alarm)}`}
      style={area === undefined ? undefined : { gridArea: area }}
      href={`#/value/${name}`}
      title={say("{name}, alone", { name: said(instrument.name) })}
      data-id={name}
      data-kind={texts.reading.kind}
    >
      <Rows id={name} instrument={instrument} alarm={alarm} texts={texts} now={now} />
    </a>
  );
}

/** Label, number and foot of an instrument. */
export function Rows(props: FootProps) {
  const { text, side, spoken } = props.texts;
  const label = said(props.instrument.label);
  return (
    <>
      <h2 class="label" style={{ "--letters": String(label.length) }}>
        <span class="label-name">{label}</span>
      </h2>
      <Figure text={sidedText(text, side)} spoken={spoken} />
      <Foot {...props} />
    </>
  );
}

/** The length of a text, from which the style sheet computes its size. */
export const lengthStyle = (text: string): Record<string, string> => ({ "--length": String(Math.max(4, text.length)) });

/** An instrument in one line of text, for the strip below the board. */
export function Mini({ name }: { readonly name: InstrumentName }) {
  const now = frameTick.value;
  const instrument = instrumentOf(name);
  const { reading, look, text, unit, side, state } = textsOf(instrument, now);
  return (
    <a
      class={`mini readout ${look}`}
      href={`#/value/${name}`}
      title={say("{name}, alone", { name: said(instrument.name) })}
      data-id={name}
      data-kind={reading.kind}
    >
      <h2 class="label">
        <span class="label-name">{said(instrument.label)}</span>
        {state !== "" && <span class="value-state">{state}</span>}
        {side !== undefined && <span class={`side ${side}`}>{say(side)}</span>}
      </h2>
      <p class="mini-value" style={lengthStyle(`${text} ${unit ?? ""}`)}>
        <span class="worth">{text}</span> {unit !== undefined && <small>{unit}</small>}
      </p>
    </a>
  );
}
