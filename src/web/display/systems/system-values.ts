/** The values of engines, batteries and tanks with a trend, as instruments. */

import type { Definition } from "../../../core/n2k/definition.ts";
import type { NumberField } from "../../../core/n2k/field.ts";
import { fieldLabel } from "../../../core/n2k/label.ts";
import { batteryStatus, dcDetailedStatus, fluidLevel } from "../../../core/n2k/pgns/electrical.ts";
import { engineParametersDynamic, engineParametersRapid } from "../../../core/n2k/pgns/propulsion.ts";
import { thingOf } from "../../../core/n2k/thing.ts";
import { ofUnit, type UnitName } from "../../../core/n2k/units.ts";
import { fixed } from "../../../core/text/quantity.ts";
import { measurementName, seriesName } from "../../../core/topics/measurements.ts";
import type { PgnData } from "../../../core/topics/pgn-data.ts";
import { messagesOfPgn } from "../data/device-messages.ts";
import { nameAt } from "../data/device-names.ts";
import { ageOf, isExpired } from "../data/freshness.ts";
import { nameOf } from "../data/names.ts";
import { type DeviceMessage, isFilling } from "../data/store.ts";
import { type Format, type Instrument, inUnit, plain } from "../instruments/instrument.ts";
import { convert, type MeasureName } from "../instruments/units.ts";
import { said, say } from "../languages/say.ts";
import { History } from "../trend/ring.ts";
import type { TrendLine } from "../trend/trend-line.ts";
import { companionOf } from "./companion.ts";
import { kindOfThing } from "./thing-kinds.ts";

interface Kind {
  /** The fields that distinguish the systems of this kind. */
  readonly keys: readonly string[];
  readonly values: readonly (readonly [Definition, string])[];
}

const kinds = {
  engine: {
    keys: ["engineInstance"],
    values: [
      [engineParametersRapid, "engineSpeedRpm"],
      [engineParametersDynamic, "oilPressureKpa"],
      [engineParametersDynamic, "coolantTempC"],
      [engineParametersDynamic, "oilTempC"],
      [engineParametersDynamic, "alternatorVoltage"],
      [engineParametersDynamic, "fuelRateLh"],
      [engineParametersDynamic, "loadPercent"],
    ],
  },
  battery: {
    keys: ["instance"],
    values: [
      [batteryStatus, "voltageV"],
      [batteryStatus, "currentA"],
      [batteryStatus, "temperatureC"],
      [dcDetailedStatus, "stateOfChargePercent"],
    ],
  },
  tank: {
    keys: ["instance", "fluidType"],
    values: [[fluidLevel, "levelPercent"]],
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof kinds;

export const measureOf: Readonly<Partial<Record<UnitName, MeasureName>>> = {
  "°C": "temperature",
  kPa: "enginePressure",
  L: "volume",
};

/** By unit: maximum decimals, and the minimum span of an axis, below which changes are insignificant. */
const looks: Readonly<Partial<Record<UnitName, { readonly decimals: number; readonly minimumSpan?: number }>>> = {
  V: { decimals: 2, minimumSpan: 2 },
  "%": { decimals: 0, minimumSpan: 20 },
  rpm: { decimals: 0, minimumSpan: 1000 },
};

function formatOf({ unit = "", scale }: NumberField): Format {
  const measure = ofUnit(measureOf, unit);
  if (measure !== undefined) return inUnit(measure);
  if (unit === "L/h") {
    return {
      unit: (units) => `${units.volume}/h`,
      text: (value, units) => fixed(convert("volume", units, value), 1),
      convert: (value, units) => convert("volume", units, value),
      ofAxis: (converted) => fixed(converted, 1),
    };
  }
  const { decimals, ...look } = ofUnit(looks, unit) ?? { decimals: 1 };
  const text = (value: number): string => fixed(value, Math.min(decimals, scale.decimals));
  return { ...plain(undefined, text), ...(unit !== "" && { unit: () => said(unit) }), ...look };
}

/** A value of a system: its message, field and device. */
export interface SystemValue {
  readonly kind: KindName;
  readonly address: number;
  readonly keys: readonly string[];
  readonly field: string;
}

/** `#/trend/battery/20/0/voltageV`. */
export const hashOf = ({ kind, address, keys, field }: SystemValue): string =>
  `#/trend/${[kind, address, ...keys, field].map(encodeURIComponent).join("/")}`;

/**
 * The value of the trend of a panel; undefined for a system without an instance, whose series cannot be distinguished.
 */
export function firstValue(kind: KindName, { address, data }: DeviceMessage<object>): SystemValue | undefined {
  const keys = kinds[kind].keys.map((name) => (data as Readonly<Record<string, unknown>>)[name]);
  if (keys.includes(undefined)) return undefined;
  return { kind, address, keys: keys.map(String), field: kinds[kind].values[0][1] };
}

/** Reads a hash made by `hashOf`; undefined for another one. */
export function valueOfHash(hash: string): SystemValue | undefined {
  try {
    const [, page, kind = "", address, ...rest] = hash.split("/").map(decodeURIComponent);
    if (page !== "trend" || !Object.hasOwn(kinds, kind)) return undefined;
    const value = {
      kind: kind as KindName,
      address: Number(address),
      keys: rest.slice(0, -1),
      field: rest.at(-1) ?? "",
    };
    const isKnown = fieldsOf(value).some(({ field }) => field === value.field);
    return isKnown && value.keys.length === kinds[value.kind].keys.length ? value : undefined;
  } catch {
    // The hash has a percent sign that encodes nothing.
    return undefined;
  }
}

const labelOf = (definition: Definition, field: string): string => fieldLabel(field, definition.fields[field]!);

/** The values of the same system, with their labels. */
export const fieldsOf = ({ kind }: SystemValue): readonly { readonly field: string; readonly label: string }[] =>
  kinds[kind].values.map(([definition, field]) => ({ field, label: labelOf(definition, field) }));

/** The address and the identifying members of the message that a panel of the page Systems shows. */
function panelOf({ kind, address, keys }: SystemValue): Pick<DeviceMessage, "address" | "data"> {
  const { pgn } = kinds[kind].values[0][0];
  return { address, data: { pgn, ...Object.fromEntries(kinds[kind].keys.map((name, index) => [name, keys[index]])) } };
}

export function systemName(value: SystemValue): string {
  const { address, data } = panelOf(value);
  return nameOf(address, data).name ?? kindOfThing(thingOf(data.pgn, data)!);
}

/** The message with a value, of the device that the page Systems shows it from. */
function messageOf({ pgn }: Definition, value: SystemValue): DeviceMessage | undefined {
  const panel = panelOf(value);
  const systemOf = (data: PgnData): string => kinds[value.kind].keys.map((name) => data[name]).join();
  const message = companionOf(panel, messagesOfPgn(panel.data.pgn), messagesOfPgn(pgn), systemOf, systemOf);
  return message?.data[value.field] === undefined ? undefined : message;
}

function definitionOf({ kind, field }: SystemValue): Definition {
  const values: Kind["values"] = kinds[kind].values;
  return values.find(([, name]) => name === field)![0];
}

export function systemInstrument(value: SystemValue): Instrument {
  const definition = definitionOf(value);
  const { field } = value;
  return {
    label: labelOf(definition, field),
    get name() {
      return say("{what}: {text}", { what: systemName(value), text: said(labelOf(definition, field)) });
    },
    format: formatOf(definition.fields[field] as NumberField),
    reads: [definition],
    read: (now) => {
      const message = messageOf(definition, value);
      const isOld = message !== undefined && isExpired(message.stamp, now);
      if (message === undefined || (isOld && isFilling(now))) return { kind: "none" };
      const kind = isOld ? "dead" : "live";
      return { kind, value: message.data[field] as number, age: ageOf(message.stamp, now) };
    },
    source: (now) => {
      const message = messageOf(definition, value);
      return message && { name: nameAt(message.address), age: ageOf(message.stamp, now) };
    },
  };
}

/** Trend memory of the shown value, filled while its page is open. */
let heard: { readonly id: string; readonly minutes: History } | undefined;

/** The trend of a value, to which its present value is added. */
export function systemLine(value: SystemValue, instrument: Instrument, now: number): TrendLine {
  const id = hashOf(value);
  if (heard?.id !== id) heard = { id, minutes: new History(600, 2) };
  const reading = instrument.read(now);
  if (reading.kind === "live") heard.minutes.add(reading.value, now / 1000);
  const { keys } = kinds[value.kind];
  return {
    id,
    title: instrument.name,
    format: instrument.format,
    past: {
      metric: seriesName(measurementName(definitionOf(value).title), value.field),
      tags: Object.fromEntries(keys.map((name, index) => [name, value.keys[index]!])),
      address: value.address,
    },
    fromPast: (recorded) => recorded,
    minutes: heard.minutes,
  };
}
