/**
 * Kinds of instruments (of the navigation report, of a field of a message, computed from others) and formats of their
 * values.
 */

import type { Definition, Message } from "../../../core/n2k/definition.ts";
import { tenths } from "../../../core/text/quantity.ts";
import { measurementName, NAVIGATION, navigationField, seriesName } from "../../../core/topics/measurements.ts";
import { messagesThatCount } from "../data/course-messages.ts";
import { messagesOfPgn } from "../data/device-messages.ts";
import { nameAt, nameOfSource, onlySender } from "../data/device-names.ts";
import { ageOf, DEAD_SHOWN_SECONDS, isExpired, type Reading } from "../data/freshness.ts";
import { settings } from "../data/settings.ts";
import { type DeviceMessage, latest } from "../data/store.ts";
import { say } from "../languages/say.ts";
import { type QuantityName, quantities, type ValueOf } from "./quantities.ts";
import {
  bearingText,
  convert,
  convertedText,
  type MeasureName,
  measureText,
  offBow,
  sideOf,
  type UnitChoice,
} from "./units.ts";

/** Format of a value as text, and of its trend. */
export interface Format {
  readonly unit: (units: UnitChoice) => string | undefined;
  readonly text: (value: number, units: UnitChoice) => string;
  readonly convert: (value: number, units: UnitChoice) => number;
  /** A value of that axis as text. */
  readonly ofAxis: (converted: number, units: UnitChoice) => string;
  /** The minimum span of that axis; 6 by default. */
  readonly minimumSpan?: number;
  /** Whether the sign is a side of the boat, named beside the label. */
  readonly isSided?: boolean;
  /** Whether it is a direction, which jumps from 359 to 0. */
  readonly isDirection?: boolean;
  /** Whether it is an angle of a whole turn, which has no average and no extremes. */
  readonly isWholeTurn?: boolean;
}

export const inUnit = (measure: MeasureName): Format => ({
  unit: (units) => units[measure],
  text: (value, units) => measureText(measure, units, value),
  convert: (value, units) => convert(measure, units, value),
  ofAxis: (converted, units) => convertedText(measure, units, converted),
});

export const plain = (unit: string | undefined, text: (value: number) => string): Format => ({
  unit: () => unit,
  text,
  convert: (value) => value,
  ofAxis: text,
});

export const direction: Format = { ...plain("°T", bearingText), isDirection: true, isWholeTurn: true };
export const sided: Format = { ...plain("°", offBow), ofAxis: tenths, isSided: true };
export const windAngle: Format = { ...sided, isWholeTurn: true };

export interface SourceText {
  /** Name of the source; empty if it is not known. */
  readonly name: string;
  /** Seconds since the last message. */
  readonly age: number;
}

export interface Instrument {
  /** A short label for the cell, readable from a distance: "SOG". */
  readonly label: string;
  /** Name in lists: "Speed over ground". */
  readonly name: string;
  readonly format: Format;
  /** The messages that it reads in addition to the navigation report; every page subscribes to them. */
  readonly reads: readonly Definition[];
  readonly read: (now: number) => Reading<number>;
  readonly source: (now: number) => SourceText | undefined;
  /** Text below the value: the reference of a depth. */
  readonly note?: (now: number) => string | undefined;
  /** Text for the page of a single value, such as the offset of a depth. */
  readonly detail?: (now: number) => string | undefined;
  /** The lowest and the highest plausible value. */
  readonly limits?: readonly [number, number];
  /** Replaces the unit of the format. */
  readonly unit?: (now: number) => string;
  /** Undefined for a computed value, which the history does not have. */
  readonly recorded?: Recorded;
}

/** A value in the history. */
export interface Recorded {
  readonly metric: string;
  /** The metric of the greatest values between those that are recorded. */
  readonly greatest?: string;
  /** Converts the recorded value to that of `read`. */
  readonly convert: (value: number, now: number) => number;
  /** Address of the device that is shown now, whose series comes before those of others. */
  readonly address?: (now: number) => number | undefined;
}

export type NumberName = { [Name in QuantityName]: ValueOf<Name> extends number ? Name : never }[QuantityName];

export type Look = Pick<Instrument, "label" | "name" | "format"> &
  Partial<Pick<Instrument, "limits" | "note" | "unit">>;

/**
 * The source of a quantity, with the age of the value. The report names one source for a group; the source of another
 * quantity is known if only one device lists its PGN.
 */
export const sourceOf =
  (name: QuantityName) =>
  (now: number): SourceText | undefined => {
    const source = latest.source(name, now);
    if (source !== undefined) return { name: nameOfSource(source), age: source.age };
    const reading = latest.read(name, now);
    return "age" in reading ? { name: onlySender(quantities[name].pgns ?? []), age: reading.age } : undefined;
  };

const same = (value: number): number => value;

/** Quantities of which lanes have the greatest value too. */
const gusty: ReadonlySet<NumberName> = new Set<NumberName>(["apparentSpeed", "trueSpeed"]);

export const recordedMember = (name: NumberName): Recorded => {
  const { group, member } = quantities[name];
  const metric = seriesName(NAVIGATION, navigationField(group, member));
  return { metric, ...(gusty.has(name) && { greatest: `${metric}Max` }), convert: same };
};

export const ofReport = (quantity: NumberName, look: Look): Instrument => ({
  ...look,
  reads: [],
  recorded: recordedMember(quantity),
  read: (now) => latest.read(quantity, now) as Reading<number>,
  source: sourceOf(quantity),
});

/** The message that an instrument reads: the first unexpired one with a value, or else the latest. */
export function messageWith(definition: Definition, field: string, now: number): DeviceMessage | undefined {
  const heard = messagesThatCount(definition, (data) => data[field] !== undefined, now);
  const living = heard.find(({ stamp }) => !isExpired(stamp, now));
  return living ?? heard.toSorted((a, b) => ageOf(a.stamp, now) - ageOf(b.stamp, now))[0];
}

export type NumberField<Of extends Definition> = {
  [Name in keyof Message<Of>]-?: Message<Of>[Name] extends number | undefined ? Name & string : never;
}[keyof Message<Of>];

/** A field of a message of a device, as what `convert` makes of it. */
export function readField<Value>(
  definition: Definition,
  field: string,
  convert: (value: never) => Value,
  now: number,
): Reading<Value> {
  const message = messageWith(definition, field, now);
  if (message === undefined) {
    const isThere = messagesOfPgn(definition.pgn).some(({ stamp }) => !isExpired(stamp, now));
    return { kind: isThere ? "unknown" : "none" };
  }
  const age = ageOf(message.stamp, now);
  const value = convert(message.data[field] as never);
  if (!isExpired(message.stamp, now)) return { kind: "live", value, age };
  return age > DEAD_SHOWN_SECONDS ? { kind: "none" } : { kind: "dead", value, age };
}

/** A number of a message of a device. */
export const ofMessage = <Of extends Definition>(
  definition: Of,
  field: NumberField<Of>,
  { convert = same, ...look }: Look & { readonly convert?: (value: number) => number },
): Instrument => ({
  ...look,
  reads: [definition],
  recorded: {
    metric: seriesName(measurementName(definition.title), field),
    convert,
    address: (now) => messageWith(definition, field, now)?.address,
  },
  read: (now) => readField(definition, field, convert, now),
  source: (now) => {
    const message = messageWith(definition, field, now);
    return message && { name: nameAt(message.address), age: ageOf(message.stamp, now) };
  },
});

/** An instrument computed from others; `reads` has the messages of these. It expires with the first of them. */
export const computed = (
  reads: readonly Definition[],
  inputs: (now: number) => readonly Reading<number>[],
  pick: (...values: readonly number[]) => number | undefined,
  look: Look,
): Instrument => {
  const read = (now: number): Reading<number> => {
    const readings = inputs(now);
    const known = readings.filter((reading) => reading.kind === "live" || reading.kind === "dead");
    if (known.length < readings.length) {
      return { kind: readings.some(({ kind }) => kind === "none") ? "none" : "unknown" };
    }
    const value = pick(...known.map((reading) => reading.value));
    // biome-ignore lint/plugin: readings of an instrument, listed in the source
    const age = Math.max(...known.map((reading) => reading.age));
    if (value === undefined) return { kind: "unknown" };
    return { kind: known.every(({ kind }) => kind === "live") ? "live" : "dead", value, age };
  };
  return {
    ...look,
    reads,
    read,
    source: (now) => {
      const reading = read(now);
      return "age" in reading ? { name: say("computed"), age: reading.age } : undefined;
    },
  };
};

/** Whether the shown value is implausible. */
export function isImplausibleNow({ limits }: Instrument, reading: Reading<number>): boolean {
  if (limits === undefined || reading.kind !== "live") return false;
  return reading.value < limits[0] || reading.value > limits[1];
}

/** Side of the boat that the sign of a live value means; undefined for other values. */
export function sideNow({ format }: Instrument, reading: Reading<number>): "port" | "stbd" | undefined {
  if (format.isSided !== true || reading.kind !== "live") return undefined;
  const side = sideOf(format.convert(reading.value, settings.value.units), format.isWholeTurn);
  return side === "starboard" ? "stbd" : side;
}
