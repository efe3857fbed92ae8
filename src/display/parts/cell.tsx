/**
 * An instrument as a cell: label, number with unit, source. A tap shows it alone. All three rows are always there, so that a value
 * that is lost moves nothing.
 */

import { durationText } from "../../text/quantity.ts";
import { AlarmMark } from "../alarms/alarm-mark.tsx";
import type { ActiveAlarm } from "../alarms/alarms.ts";
import { instrumentMark, markClass } from "../alarms/places.ts";
import type { Reading } from "../data/freshness.ts";
import { frameTick } from "../frame-tick.ts";
import { type Instrument, isImplausibleNow, type SourceText, sideNow } from "../instrument.ts";
import { type InstrumentName, instrumentOf } from "../instruments.ts";
import { settings } from "../settings.ts";
import { Numerals } from "./numerals.tsx";

/** The state of a reading in words; empty for a live one. */
export function stateText(reading: Reading<unknown>): string {
  switch (reading.kind) {
    case "live":
      return "";
    case "unknown":
      return "not known";
    case "dead":
      return `lost ${durationText(reading.age)} ago`;
    case "none":
      return "no data";
  }
}

const sideNames = { port: "port", stbd: "starboard" } as const;

/** Number, unit, side and state of an instrument, as text. */
function textsOf(instrument: Instrument, now: number) {
  const { units } = settings.value;
  const reading = instrument.read(now);
  const isShown = "value" in reading;
  const text = isShown ? instrument.format.text(reading.value, units) : "––";
  const unit = isShown && instrument.unit !== undefined ? instrument.unit(now) : instrument.format.unit(units);
  const side = sideNow(instrument, reading);
  const isImplausible = isImplausibleNow(instrument, reading);
  const state = isImplausible ? "implausible" : stateText(reading);
  const spoken =
    reading.kind === "live" && !isImplausible
      ? side === undefined
        ? text
        : `${text} ${sideNames[side]}`
      : `${state} ${isShown ? text : ""}`;
  const look = isImplausible ? "implausible" : reading.kind;
  return { reading, look, text, unit, side, state, spoken };
}

/** Number and unit. */
function Figure({
  text,
  unit,
  spoken,
}: {
  readonly text: string;
  readonly unit: string | undefined;
  readonly spoken: string;
}) {
  return (
    <p class="figure">
      <span class="number">
        <Numerals text={text} spoken={spoken} />
      </span>
      {unit !== undefined && <span class="unit">{unit}</span>}
    </p>
  );
}

/** Name of the source and age of the value, or the state of a value that is not live. */
function Foot({
  id,
  state,
  source,
}: {
  readonly id: string;
  readonly state: string;
  readonly source: SourceText | undefined;
}) {
  if (state !== "") return <p class="foot value-state">{state}</p>;
  return (
    <p class="foot source" data-source={id}>
      {source && (
        <>
          <span class="source-name">{source.name}</span>
          <span class="age">{durationText(source.age)}</span>
        </>
      )}
    </p>
  );
}

interface LabelProps {
  readonly instrument: Instrument;
  readonly alarm: ActiveAlarm | undefined;
  readonly side: string | undefined;
  readonly now: number;
}

/** Label of an instrument, with the side or the reference of its value. */
function Label({ instrument, alarm, side, now }: LabelProps) {
  const note = instrument.note?.(now);
  return (
    <h2 class="label">
      <AlarmMark alarm={alarm} />
      <span class="label-name">{instrument.label}</span>
      {side !== undefined && <span class={`side ${side}`}>{side}</span>}
      {note !== undefined && <span class="note">{note}</span>}
    </h2>
  );
}

interface ReadoutProps {
  readonly id: string;
  readonly instrument: Instrument;
}

/** An instrument with nothing to tap. */
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
      title={`${instrument.name}, alone`}
      data-id={name}
      data-kind={texts.reading.kind}
    >
      <Rows id={name} instrument={instrument} alarm={alarm} texts={texts} now={now} />
    </a>
  );
}

interface RowsProps extends ReadoutProps {
  readonly alarm: ActiveAlarm | undefined;
  readonly texts: ReturnType<typeof textsOf>;
  readonly now: number;
}

function Rows({ id, instrument, alarm, texts: { text, unit, side, state, spoken }, now }: RowsProps) {
  return (
    <>
      <Label instrument={instrument} alarm={alarm} side={side} now={now} />
      <Figure text={text} unit={unit} spoken={spoken} />
      <Foot id={id} state={state} source={instrument.source(now)} />
    </>
  );
}

/** The length of a text, to which the style sheet fits its size. */
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
      title={`${instrument.name}, alone`}
      data-id={name}
      data-kind={reading.kind}
    >
      <h2 class="label">
        <span class="label-name">{instrument.label}</span>
        {state !== "" && <span class="value-state">{state}</span>}
        {side !== undefined && <span class={`side ${side}`}>{side}</span>}
      </h2>
      <p class="mini-value" style={lengthStyle(`${text} ${unit ?? ""}`)}>
        <span class="worth">{text}</span> {unit !== undefined && <small>{unit}</small>}
      </p>
    </a>
  );
}
