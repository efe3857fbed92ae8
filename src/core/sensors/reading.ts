/**
 * Reads the value of a row of the table of sensors from a message, or the reason why there is none. Pure: hub-cand
 * publishes the value, and the form of the display shows it.
 */
import { type Sentence, sentence } from "../text/sentence.ts";
import { jsonIn } from "../util/json-in.ts";
import { valueAt } from "./json-pointer.ts";
import { type QuantityName, quantityNamed } from "./quantities.ts";
import { converted, isSourceUnit, type SourceUnitName, sourceUnits } from "./units.ts";

/** A row: one value of one sensor. Members that a row of the settings may leave out have their defaults. */
export interface SensorRow {
  /** Name of the device; rows with the same one are one device. */
  readonly name: string;
  /** Topic filter without `#`. */
  readonly topic: string;
  /** JSON Pointer to the value; absent: the payload is the number itself. */
  readonly pointer?: string;
  /** JSON Pointer to the time of the value; a message without it counts from its arrival. */
  readonly time?: string;
  readonly quantity: QuantityName;
  readonly unit: SourceUnitName;
  readonly instance: number;
  readonly kind?: string;
  /** The source's values of an empty and a full tank, if it does not give a share. */
  readonly empty: number;
  readonly full?: number;
  /** Seconds for which a value counts. */
  readonly periodSec: number;
  /** The network whose topics it reads; absent: each broker. */
  readonly network?: string;
}

export interface SensorMessage {
  readonly topic: string;
  /** Undefined: too long. */
  readonly payload: string | undefined;
  /** The broker had it before the subscription. */
  readonly isRetained: boolean;
}

/** `value` in the unit of the quantity, with its age, milliseconds; `ended`: the source has no value any more. */
export type SensorReading =
  | { readonly kind: "value"; readonly value: number; readonly ageMs: number }
  | { readonly kind: "ended" | "none" | "refused"; readonly why: Sentence };

const none = (why: Sentence): SensorReading => ({ kind: "none", why });
const refused = (why: Sentence): SensorReading => ({ kind: "refused", why });

/** A payload, read once for all rows. */
export interface SensorPayload {
  readonly json?: unknown;
  readonly fault?: Sentence;
}

/** Bytes of the longest payload that is read; those of zigbee2mqtt have one or two thousand. */
export const MAX_PAYLOAD_BYTES = 16 << 10;
/** Deeper payloads are refused before they are parsed, because JSON.parse recurses. */
const MAX_DEPTH = 32;

/** Whether brackets are nested too deeply, those in strings counted too: a sensor has none of either. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Reads a payload as JSON; other text is itself. */
export function readPayload(payload: string | undefined): SensorPayload {
  if (payload === undefined) return { fault: sentence`the payload is too long` };
  if (isTooDeep(payload)) return { fault: sentence`the JSON is nested too deeply` };
  const json = jsonIn(payload);
  return { json: json === undefined ? payload : json };
}

/** A JSON number, or a text that is a decimal number; some sources write numbers as texts. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const text = typeof value === "string" ? value.trim() : "";
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : undefined;
}

/** Texts by which sources say that they have no value. */
const noValue = /^(|nan|null|none|unknown|unavailable)$/i;
const hasNoValue = (value: unknown): boolean =>
  value === null || (typeof value === "string" && noValue.test(value.trim()));

/** Seconds below, and milliseconds from, this number: in milliseconds it is in 1973, in seconds in 5138. */
const FIRST_MILLISECONDS = 1e11;

/** The last time that a date can have. */
const LAST_MILLISECONDS = 8.64e15;

/** Milliseconds since 1970 of an RFC 3339 date, or of seconds or milliseconds since then. */
function momentOf(value: unknown): number | undefined {
  const number = numberOf(value);
  const isDate = typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value);
  const moment = number === undefined ? (isDate ? Date.parse(value) : Number.NaN) : number;
  const milliseconds = number !== undefined && number < FIRST_MILLISECONDS ? number * 1000 : moment;
  return Math.abs(milliseconds) <= LAST_MILLISECONDS ? milliseconds : undefined;
}

/**
 * Age of a value in milliseconds, or why it is not believed. A time ahead of now is that of another clock: of a message
 * that the broker had before, it says nothing.
 */
function ageOf(
  { time, periodSec }: SensorRow,
  json: unknown,
  isRetained: boolean,
  ageAt: (moment: number) => number,
): number | SensorReading {
  const stamp = time === undefined ? undefined : valueAt(json, time);
  const moment = momentOf(stamp);
  if (moment === undefined && stamp !== undefined && !hasNoValue(stamp)) return refused(sentence`no time at ${time!}`);
  if (moment === undefined)
    return isRetained ? none(sentence`the broker had it before, so that its age is not known`) : 0;
  const age = ageAt(moment);
  const unused = isRetained ? none : refused;
  if (age > periodSec * 1000) return unused(sentence`older than the ${periodSec} s for which it counts`);
  return isRetained && age < -periodSec * 1000 ? none(sentence`its time is in the future`) : Math.max(0, age);
}

const FULL_TURN = 360;

function quantityValue({ quantity, unit, empty, full }: SensorRow, given: number): number {
  const { unit: own, limits } = quantityNamed(quantity);
  if (full !== undefined) return Math.max(0, ((given - empty) / (full - empty)) * 100);
  const value = converted(given, unit, own);
  if (sourceUnits[own].dimension !== "angle") return value;
  const turned = ((value % FULL_TURN) + FULL_TURN) % FULL_TURN;
  // The last step of the wire before a full turn is that of 0.
  return turned > limits[1] ? 0 : turned;
}

/**
 * Reads a message whose topic the row matches; `ageAt` gives the milliseconds since a time of the source, which it has
 * in milliseconds since 1970.
 *
 * @example readSensor(row, readPayload('{"value":12.81}'), false, (moment) => Date.now() - moment) // { kind: "value", value: 12.81, ageMs: 0 }
 */
export function readSensor(
  row: SensorRow,
  { json, fault }: SensorPayload,
  isRetained: boolean,
  ageAt: (moment: number) => number,
): SensorReading {
  if (fault !== undefined) return refused(fault);
  const { pointer, quantity } = row;
  const found = valueAt(json, pointer ?? "");
  // An empty payload removes a retained message, and says that a device of Venus has gone.
  if (json === "" || (found !== undefined && hasNoValue(found)))
    return { kind: "ended", why: sentence`the source has no value` };
  if (found === undefined) {
    return typeof json === "object"
      ? none(sentence`nothing at ${pointer ?? ""}`)
      : refused(sentence`the payload is no JSON object`);
  }
  const given = numberOf(found);
  if (given === undefined)
    return refused(pointer === undefined ? sentence`the payload is no number` : sentence`no number at ${pointer}`);
  const age = ageOf(row, json, isRetained, ageAt);
  if (typeof age !== "number") return age;
  const value = quantityValue(row, given);
  const { limits, unit } = quantityNamed(quantity);
  const [lowest, highest] = limits;
  return value >= lowest && value <= highest
    ? { kind: "value", value, ageMs: age }
    : refused(sentence`${value} ${unit} is beyond what the message can have, ${lowest} to ${highest} ${unit}`);
}

/** Whether a unit is one of the quantity, or, where a full tank is given, one of its depth or volume. */
export function isUnitOf(quantity: QuantityName, unit: string, hasFull: boolean): boolean {
  if (!isSourceUnit(unit)) return false;
  const { dimension } = sourceUnits[unit];
  if (hasFull) return dimension === "length" || dimension === "volume" || dimension === "ratio";
  return dimension === sourceUnits[quantityNamed(quantity).unit].dimension;
}
