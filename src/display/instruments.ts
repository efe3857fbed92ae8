/** The instruments: values that can be shown as one number, with their sources and formats. */
import { measurementName, navigationField } from "../history/names.ts";
import type { Definition, Message } from "../n2k/field.ts";
import { crossTrackError, navigationData, setDriftRapidUpdate } from "../n2k/pgns/route.ts";
import { attitude, headingTrackControl, rudder } from "../n2k/pgns/steering.ts";
import { distanceLog } from "../n2k/pgns/water.ts";
import { METRES_PER_MILE } from "../nav/great-circle.ts";
import { ageOf, DEAD_SHOWN_SECONDS, isExpired, type Reading } from "./freshness.ts";
import { type QuantityName, quantities, type ValueOf } from "./quantities.ts";
import { type DepthReference, settings } from "./settings.ts";
import { type DeviceMessage, latest, messagesOf, nameAt, nameOfSource } from "./store.ts";
import {
  bearingText,
  convert,
  fixed,
  type MeasureName,
  measureText,
  minutesText,
  offBow,
  sideOf,
  type UnitChoice,
  withUnit,
} from "./units.ts";

/** Format of a value as text, and of its trend. */
export interface Format {
  readonly unit: (units: UnitChoice) => string | undefined;
  readonly text: (value: number, units: UnitChoice) => string;
  /** For the axis of its trend. */
  readonly convert: (value: number, units: UnitChoice) => number;
  /** The smallest span of that axis; 6 by default. */
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
});

export const plain = (unit: string | undefined, text: (value: number) => string): Format => ({
  unit: () => unit,
  text,
  convert: (value) => value,
});

const direction: Format = { ...plain("°T", bearingText), isDirection: true, isWholeTurn: true };
const sided: Format = { ...plain("°", offBow), isSided: true };
const windAngle: Format = { ...sided, isWholeTurn: true };

export interface SourceText {
  readonly name: string;
  /** Seconds since the last message. */
  readonly age: number;
}

export interface Instrument {
  /** On the dial: "SOG". */
  readonly label: string;
  /** In lists: "Speed over ground". */
  readonly name: string;
  readonly format: Format;
  readonly read: (now: number) => Reading<number>;
  readonly source: (now: number) => SourceText | undefined;
  /** Text beside the label: the reference of a depth. */
  readonly note?: (now: number) => string | undefined;
  /** Text that has room only where the value stands alone: the offset of a depth. */
  readonly detail?: (now: number) => string | undefined;
  /** Takes the place of the format's unit. */
  readonly unit?: (now: number) => string;
  /** Undefined for a computed value, which the history does not have. */
  readonly recorded?: Recorded;
}

/** A value in the history. */
export interface Recorded {
  readonly metric: string;
  /** From the recorded value to that of `read`. */
  readonly convert: (value: number, now: number) => number;
  /** Address of the device that is shown now: its series goes before those of others. */
  readonly address?: (now: number) => number | undefined;
}

/** Names of the quantities that are numbers. */
type NumberName = { [Name in QuantityName]: ValueOf<Name> extends number ? Name : never }[QuantityName];

type Look = Pick<Instrument, "label" | "name" | "format"> & Partial<Pick<Instrument, "note" | "unit">>;

const sourceOf =
  (name: QuantityName) =>
  (now: number): SourceText | undefined => {
    const source = latest.source(name, now);
    return source && { name: nameOfSource(source), age: source.age };
  };

const same = (value: number): number => value;

const recordedMember = (name: NumberName): Recorded => {
  const { group, member } = quantities[name];
  return { metric: `navigation_${navigationField(group, member)}`, convert: same };
};

/** A quantity of the navigation report. */
const ofReport = (quantity: NumberName, look: Look): Instrument => ({
  ...look,
  recorded: recordedMember(quantity),
  read: (now) => latest.read(quantity, now) as Reading<number>,
  source: sourceOf(quantity),
});

const fieldOf = ({ data }: DeviceMessage, field: string): number | undefined => data[field] as number | undefined;

/** The message that an instrument reads: of those with a value the first that lives, else the latest. */
function messageWith({ pgn }: Definition, field: string, now: number): DeviceMessage | undefined {
  const heard = messagesOf(pgn).filter((message) => fieldOf(message, field) !== undefined);
  const living = heard.find(({ stamp }) => !isExpired(stamp, now));
  return living ?? heard.toSorted((a, b) => ageOf(a.stamp, now) - ageOf(b.stamp, now))[0];
}

/** Names of the fields of a message that are numbers. */
export type NumberField<Of extends Definition> = {
  [Name in keyof Message<Of>]-?: Message<Of>[Name] extends number | undefined ? Name & string : never;
}[keyof Message<Of>];

/** A field of a message of a device. */
const ofMessage = <Of extends Definition>(
  definition: Of,
  field: NumberField<Of>,
  { convert = same, ...look }: Look & { readonly convert?: (value: number) => number },
): Instrument => ({
  ...look,
  recorded: {
    metric: `${measurementName(definition.title)}_${field}`,
    convert,
    address: (now) => messageWith(definition, field, now)?.address,
  },
  read: (now) => {
    const message = messageWith(definition, field, now);
    if (message === undefined) {
      const isThere = messagesOf(definition.pgn).some(({ stamp }) => !isExpired(stamp, now));
      return { kind: isThere ? "unknown" : "none" };
    }
    const age = ageOf(message.stamp, now);
    const value = convert(fieldOf(message, field)!);
    if (!isExpired(message.stamp, now)) return { kind: "live", value, age };
    return age > DEAD_SHOWN_SECONDS ? { kind: "none" } : { kind: "dead", value, age };
  },
  source: (now) => {
    const message = messageWith(definition, field, now);
    return message && { name: nameAt(message.address), age: ageOf(message.stamp, now) };
  },
});

/** Computed from others; lives as long as all of them do. */
const computed = (
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
    const age = Math.max(...known.map((reading) => reading.age));
    if (value === undefined) return { kind: "unknown" };
    return { kind: known.every(({ kind }) => kind === "live") ? "live" : "dead", value, age };
  };
  return {
    ...look,
    read,
    source: (now) => {
      const reading = read(now);
      return "age" in reading ? { name: "computed", age: reading.age } : undefined;
    },
  };
};

const cosine = (degrees: number): number => Math.cos((degrees * Math.PI) / 180);

/** Where a depth is measured from, and the metres to add to that below the transducer. */
function depthFrom(
  wanted: DepthReference,
  offset: number | undefined,
): { readonly from: string; readonly add: number } {
  const known = offset === undefined || offset === 0 ? "transducer" : offset < 0 ? "keel" : "surface";
  const from = wanted === "installed" || wanted === known ? known : "transducer";
  return { from, add: from === "transducer" ? 0 : offset! };
}

function depthReference(now: number): ReturnType<typeof depthFrom> {
  const offset = latest.read("offset", now);
  return depthFrom(settings.value.depthReference, "value" in offset ? offset.value : undefined);
}

function readDepth(now: number): Reading<number> {
  const depth = latest.read("depth", now);
  return "value" in depth ? { ...depth, value: depth.value + depthReference(now).add } : depth;
}

/** The offset that the shown depth has in addition to that of the transducer: `offset -1.9 m`. */
function depthOffset(now: number): string | undefined {
  const { add } = depthReference(now);
  return add === 0 ? undefined : `offset ${withUnit("depth", settings.value.units, add)}`;
}

const isTrueWindComputed = (): boolean => latest.data.wind_true?.computed === true;

/** The source of the true wind is that of the wind it was computed from. */
const ofTrueWind = (quantity: "trueSpeed" | "trueAngle" | "trueDirection", look: Look): Instrument => ({
  ...ofReport(quantity, look),
  source: (now) => {
    const source = sourceOf(quantity)(now);
    return source && isTrueWindComputed() ? { ...source, name: `computed, ${source.name}` } : source;
  },
});

/** The unit of a direction that a message has, by its reference. */
const directionUnit =
  <Of extends Definition>(definition: Of, field: NumberField<Of>, reference: keyof Message<Of> & string) =>
  (now: number): string => {
    switch (messageWith(definition, field, now)?.data[reference]) {
      case "True":
        return "°T";
      case "Magnetic":
        return "°M";
      default:
        return "°";
    }
  };

const bearingToWaypoint = ofMessage(navigationData, "bearingToWaypoint", {
  label: "Bearing",
  name: "Bearing to the waypoint",
  format: direction,
  unit: directionUnit(navigationData, "bearingToWaypoint", "bearingReference"),
});

const toMiles = (metres: number): number => metres / METRES_PER_MILE;

const distanceToWaypoint = ofMessage(navigationData, "distanceToWaypoint", {
  label: "Distance",
  name: "Distance to the waypoint",
  format: inUnit("distance"),
  convert: toMiles,
});

/** The bearing as true; unknown where a magnetic one lacks the variation. */
export function trueBearingToWaypoint(now: number): Reading<number> {
  const bearing = bearingToWaypoint.read(now);
  if (!("value" in bearing)) return bearing;
  switch (bearingToWaypoint.unit!(now)) {
    case "°T":
      return bearing;
    case "°M": {
      const variation = latest.read("variation", now);
      return "value" in variation ? { ...bearing, value: bearing.value + variation.value } : { kind: "unknown" };
    }
    default:
      return { kind: "unknown" };
  }
}

const vmgToWaypoint = computed(
  (now) => [latest.read("sog", now), latest.read("cog", now), trueBearingToWaypoint(now)],
  (sog, cog, bearing) => sog! * cosine(cog! - bearing!),
  { label: "VMG", name: "Speed made good to the waypoint", format: inUnit("speed"), note: () => "to waypoint" },
);

/** Below this speed made good the waypoint is not being approached, knots. */
const SLOWEST_APPROACH_KNOTS = 0.1;

/** Positive when the boat is to the right of the track, as Signal K has it (`crossTrackError`). */
const crossTrack = ofMessage(crossTrackError, "xte", {
  label: "XTE",
  name: "Cross-track error",
  format: {
    ...inUnit("distance"),
    text: (value, units) => fixed(convert("distance", units, value), Math.abs(value) < 10 ? 2 : 1),
  },
  convert: toMiles,
});

export const instruments = {
  depth: {
    label: "Depth",
    name: "Depth",
    format: inUnit("depth"),
    read: readDepth,
    recorded: { ...recordedMember("depth"), convert: (value, now) => value + depthReference(now).add },
    source: sourceOf("depth"),
    note: (now) => (readDepth(now).kind === "none" ? undefined : `below ${depthReference(now).from}`),
    detail: depthOffset,
  },
  sog: ofReport("sog", { label: "SOG", name: "Speed over ground", format: inUnit("speed") }),
  cog: ofReport("cog", { label: "COG", name: "Course over ground", format: direction }),
  stw: ofReport("stw", { label: "STW", name: "Speed through water", format: inUnit("speed") }),
  headingTrue: ofReport("headingTrue", { label: "Heading", name: "Heading, true", format: direction }),
  headingMagnetic: ofReport("headingMagnetic", {
    label: "Heading",
    name: "Heading, magnetic",
    format: { ...direction, unit: () => "°M" },
  }),
  apparentSpeed: ofReport("apparentSpeed", { label: "AWS", name: "Apparent wind speed", format: inUnit("wind") }),
  apparentAngle: ofReport("apparentAngle", { label: "AWA", name: "Apparent wind angle", format: windAngle }),
  trueSpeed: ofTrueWind("trueSpeed", { label: "TWS", name: "True wind speed", format: inUnit("wind") }),
  trueAngle: ofTrueWind("trueAngle", { label: "TWA", name: "True wind angle", format: windAngle }),
  trueDirection: ofTrueWind("trueDirection", { label: "TWD", name: "True wind direction", format: direction }),
  vmgWind: computed(
    (now) => [latest.read("stw", now), latest.read("trueAngle", now)],
    (speed, angle) => speed! * cosine(angle!),
    { label: "VMG", name: "Speed made good to windward", format: inUnit("speed"), note: () => "to windward" },
  ),
  waypointDistance: distanceToWaypoint,
  waypointBearing: bearingToWaypoint,
  crossTrack: {
    ...crossTrack,
    note: (now) => {
      const reading = crossTrack.read(now);
      return "value" in reading && reading.value !== 0 ? `steer ${reading.value > 0 ? "left" : "right"}` : undefined;
    },
  },
  vmgWaypoint: vmgToWaypoint,
  timeToGo: computed(
    (now) => [distanceToWaypoint.read(now), vmgToWaypoint.read(now)],
    (miles, knots) => (knots! < SLOWEST_APPROACH_KNOTS ? undefined : (60 * miles!) / knots!),
    { label: "Time to go", name: "Time to the waypoint", format: plain(undefined, minutesText) },
  ),
  headingToSteer: ofMessage(headingTrackControl, "headingToSteerDeg", {
    label: "Steer",
    name: "Heading to steer, of the autopilot",
    format: direction,
    unit: directionUnit(headingTrackControl, "headingToSteerDeg", "headingReference"),
  }),
  rudder: ofMessage(rudder, "positionDeg", {
    label: "Rudder",
    name: "Rudder",
    format: sided,
  }),
  heel: ofMessage(attitude, "rollDeg", { label: "Heel", name: "Heel", format: sided }),
  trim: ofMessage(attitude, "pitchDeg", {
    label: "Pitch",
    name: "Pitch, bow up positive",
    format: plain("°", (value) => fixed(value, 1)),
  }),
  rateOfTurn: ofReport("rateOfTurn", {
    label: "Turn",
    name: "Rate of turn",
    format: {
      unit: () => "°/min",
      text: (value) => offBow(value * 60),
      convert: (value) => value * 60,
      isSided: true,
    },
  }),
  leeway: ofReport("leeway", { label: "Leeway", name: "Leeway", format: sided }),
  currentSet: ofMessage(setDriftRapidUpdate, "setDeg", {
    label: "Set",
    name: "Current sets to",
    format: direction,
    unit: directionUnit(setDriftRapidUpdate, "setDeg", "setReference"),
  }),
  currentDrift: ofMessage(setDriftRapidUpdate, "driftKnots", {
    label: "Drift",
    name: "Speed of the current",
    format: inUnit("speed"),
  }),
  trip: ofMessage(distanceLog, "tripLogNm", {
    label: "Trip",
    name: "Distance since the trip's reset",
    format: inUnit("distance"),
  }),
  log: ofMessage(distanceLog, "totalLogNm", {
    label: "Log",
    name: "Total distance",
    format: inUnit("distance"),
  }),
  waterTemperature: ofReport("waterTemperature", {
    label: "Water",
    name: "Water temperature",
    format: inUnit("temperature"),
  }),
  outsideTemperature: ofReport("outsideTemperature", {
    label: "Air",
    name: "Air temperature",
    format: inUnit("temperature"),
  }),
  pressure: ofReport("pressure", { label: "Baro", name: "Air pressure", format: inUnit("airPressure") }),
} as const satisfies Readonly<Record<string, Instrument>>;

export type InstrumentName = keyof typeof instruments;

export const instrumentNames = Object.keys(instruments) as readonly InstrumentName[];

export const instrumentOf = (name: InstrumentName): Instrument => instruments[name];

export const isInstrument = (name: string): name is InstrumentName => Object.hasOwn(instruments, name);

/** Side of the boat that the sign of a live value means; undefined for other values. */
export function sideNow(instrument: Instrument, reading: Reading<number>): "port" | "stbd" | undefined {
  if (instrument.format.isSided !== true || reading.kind !== "live") return undefined;
  const side = sideOf(reading.value);
  return side === "starboard" ? "stbd" : side;
}
