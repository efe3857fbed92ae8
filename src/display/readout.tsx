/** A value as an instrument shows it: name, number, unit, and where it comes from; plainly dead when it is. */
import type { ComponentChildren } from "preact";
import { beat } from "./beat.ts";
import { picture } from "./boat.ts";
import { ageText, type Reading } from "./freshness.ts";
import { Numerals } from "./numerals.tsx";
import type { QuantityName, ValueOf } from "./quantities.ts";

export interface ReadoutProps<Value> {
  readonly id: string;
  readonly label: string;
  readonly unit?: string | undefined;
  readonly reading: Reading<Value>;
  readonly text: (value: Value) => string;
  readonly size?: "huge" | "large" | "middle";
  /** Behind the name while the value lives: the side of an angle. */
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
  /** Whether the source stands below; a group that is shown together says it once. */
  readonly withSource?: boolean;
}

/** A quantity of the navigation report. */
export function Quantity<Name extends QuantityName>({
  name,
  withSource = true,
  children,
  ...rest
}: QuantityProps<Name>) {
  const reading = picture.read(name, beat.value);
  return (
    <Readout {...rest} id={name} reading={reading}>
      {withSource && <Source name={name} />}
      {children}
    </Readout>
  );
}

/** Who says so, or how it came about, and how long ago. */
export function Source({ name, note }: { readonly name: QuantityName; readonly note?: string }) {
  const now = beat.value;
  const source = picture.source(name, now);
  const kind = picture.read(name, now).kind;
  if (source === undefined || kind === "none") return null;
  return (
    <p class="source" data-source={name}>
      {note ?? source.name}
      <span class="age">{ageText(source.age)}</span>
    </p>
  );
}
