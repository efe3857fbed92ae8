/** A value as an instrument shows it: label, number, unit and source; struck out once it has expired. */
import type { ComponentChildren } from "preact";
import { frameTick } from "./frame-tick.ts";
import { ageText, type Reading } from "./freshness.ts";
import { Numerals } from "./numerals.tsx";
import type { QuantityName, ValueOf } from "./quantities.ts";
import { latest } from "./store.ts";

export interface ReadoutProps<Value> {
  readonly id: string;
  readonly label: string;
  readonly unit?: string | undefined;
  readonly reading: Reading<Value>;
  readonly text: (value: Value) => string;
  readonly size?: "huge" | "large" | "middle";
  /** Shown after the label of a live value: the side of an angle. */
  readonly mark?: ComponentChildren;
  readonly children?: ComponentChildren;
}

const meanings = { live: "", unknown: "not known", none: "no data", dead: "lost" } as const;

export function Readout<Value>({
  id,
  label,
  unit,
  reading,
  text,
  size = "middle",
  mark,
  children,
}: ReadoutProps<Value>) {
  const { kind } = reading;
  const shown = "value" in reading ? text(reading.value) : "––";
  return (
    <section class={`readout ${size} ${kind}`} data-id={id} data-kind={kind} aria-label={label}>
      <h3>
        {label} {kind === "live" && mark}
      </h3>
      <p class="figure">
        <span class="number">
          <Numerals
            text={shown}
            spoken={kind === "live" ? shown : `${meanings[kind]} ${"value" in reading ? shown : ""}`}
          />
        </span>
        {unit !== undefined && <span class="unit">{unit}</span>}
      </p>
      {kind !== "live" && <p class="fate">{kind === "dead" ? `lost ${ageText(reading.age)} ago` : meanings[kind]}</p>}
      {children}
    </section>
  );
}

export interface QuantityProps<Name extends QuantityName> extends Omit<ReadoutProps<ValueOf<Name>>, "reading" | "id"> {
  readonly name: Name;
  /** Whether to show the source below; panels that show a group of quantities show it once. */
  readonly withSource?: boolean;
}

/** A quantity of the navigation report. */
export function Quantity<Name extends QuantityName>({
  name,
  withSource = true,
  children,
  ...rest
}: QuantityProps<Name>) {
  const reading = latest.read(name, frameTick.value);
  return (
    <Readout {...rest} id={name} reading={reading}>
      {withSource && <Source name={name} />}
      {children}
    </Readout>
  );
}

/** Name of the source, or `note` in its place, and the age of the value. */
export function Source({ name, note }: { readonly name: QuantityName; readonly note?: string }) {
  const now = frameTick.value;
  const source = latest.source(name, now);
  const kind = latest.read(name, now).kind;
  if (source === undefined || kind === "none") return null;
  return (
    <p class="source" data-source={name}>
      {note ?? source.name}
      <span class="age">{ageText(source.age)}</span>
    </p>
  );
}
