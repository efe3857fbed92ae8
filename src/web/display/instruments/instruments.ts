/** The instruments: values that can be shown as one number, with their sources and formats. */

import type { Definition, Message } from "../../../core/n2k/definition.ts";
import { crossTrackError, navigationData, setDriftRapidUpdate } from "../../../core/n2k/pgns/route.ts";
import { attitude, headingTrackControl, rudder } from "../../../core/n2k/pgns/steering.ts";
import { distanceLog } from "../../../core/n2k/pgns/water.ts";
import { METRES_PER_MILE } from "../../../core/nav/great-circle.ts";
import { plausibleRanges } from "../../../core/nav/plausible.ts";
import { fixed, minutesText, tenths } from "../../../core/text/quantity.ts";
import type { Reading } from "../data/freshness.ts";
import { settings } from "../data/settings.ts";
import { latest } from "../data/store.ts";
import { say } from "../languages/say.ts";
import { depthOffset, depthReference, readDepth } from "./depth.ts";
import { heldOr } from "./held-course.ts";
import {
  computed,
  direction,
  type Instrument,
  inUnit,
  type Look,
  messageWith,
  type NumberField,
  ofMessage,
  ofReport,
  plain,
  recordedMember,
  sided,
  sourceOf,
  windAngle,
} from "./instrument.ts";
import { convert, offBow } from "./units.ts";

const cosine = (degrees: number): number => Math.cos((degrees * Math.PI) / 180);

/** A quantity that may be computed: its source is then that of the values from which it was. */
const ofComputed = (
  quantity: "sog" | "cog" | "trueSpeed" | "trueAngle" | "trueDirection",
  group: "speed_course" | "wind_true",
  look: Look,
): Instrument => ({
  ...ofReport(quantity, look),
  source: (now) => {
    const source = sourceOf(quantity)(now);
    return source && latest.data[group]?.computed
      ? { ...source, name: say("computed, {source}", { source: source.name }) }
      : source;
  },
});

/** The unit of a direction in a message, by its reference. */
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

const bearingToWaypoint = heldOr(
  ofMessage(navigationData, "bearingToWaypoint", {
    label: "BRG",
    name: "Bearing to the waypoint",
    format: direction,
    unit: directionUnit(navigationData, "bearingToWaypoint", "bearingReference"),
  }),
  ({ bearing }) => bearing,
);

const toMiles = (metres: number): number => metres / METRES_PER_MILE;

const distanceToWaypoint = heldOr(
  ofMessage(navigationData, "distanceToWaypoint", {
    label: "DTW",
    name: "Distance to the waypoint",
    format: inUnit("distance"),
    convert: toMiles,
  }),
  ({ range }) => range,
);

/** A direction of a message as true; unknown where a magnetic one lacks the variation. */
export function readTrue({ read, unit }: Instrument, now: number): Reading<number> {
  const reading = read(now);
  if (!("value" in reading)) return reading;
  switch (unit?.(now)) {
    case "°T":
      return reading;
    case "°M": {
      const variation = latest.read("variation", now);
      return "value" in variation ? { ...reading, value: reading.value + variation.value } : { kind: "unknown" };
    }
    default:
      return { kind: "unknown" };
  }
}

const vmgToWaypoint = computed(
  [navigationData],
  (now) => [latest.read("sog", now), latest.read("cog", now), readTrue(bearingToWaypoint, now)],
  (sog, cog, bearing) => sog! * cosine(cog! - bearing!),
  { label: "VMG", name: "Speed made good to the waypoint", format: inUnit("speed"), note: () => say("to waypoint") },
);

/** Speed made good in knots below which the boat does not approach the waypoint. */
const SLOWEST_APPROACH_KNOTS = 0.1;

/** The heading that the autopilot holds, also while hub-link holds a destination. */
export const pilotHeading = ofMessage(headingTrackControl, "headingToSteerDeg", {
  label: "Steer",
  name: "Heading to steer, of the autopilot",
  format: direction,
  unit: directionUnit(headingTrackControl, "headingToSteerDeg", "headingReference"),
});

/** Positive when the boat is to the right of the track, as in Signal K (`crossTrackError`). */
const crossTrack = heldOr({
  ...ofMessage(crossTrackError, "xte", {
    label: "XTE",
    name: "Cross-track error",
    format: {
      ...inUnit("distance"),
      text: (value, units) => fixed(convert("distance", units, value), Math.abs(value) < 10 ? 2 : 1),
    },
    convert: toMiles,
  }),
  reads: [crossTrackError, navigationData],
});

export const instruments = {
  depth: {
    label: "DEPTH",
    name: "Depth",
    format: inUnit("depth"),
    reads: [],
    read: readDepth,
    limits: plausibleRanges.depthMetres,
    recorded: { ...recordedMember("depth"), convert: (value, now) => value + depthReference(now).add },
    source: sourceOf("depth"),
    note: (now) => (readDepth(now).kind === "none" ? undefined : say(`below ${depthReference(now).from}`)),
    detail: depthOffset,
  },
  sog: ofComputed("sog", "speed_course", {
    label: "SOG",
    name: "Speed over ground",
    format: inUnit("speed"),
    limits: plausibleRanges.boatKnots,
  }),
  cog: ofComputed("cog", "speed_course", { label: "COG", name: "Course over ground", format: direction }),
  stw: ofReport("stw", {
    label: "STW",
    name: "Speed through water",
    format: inUnit("speed"),
    limits: plausibleRanges.boatKnots,
  }),
  headingTrue: ofReport("headingTrue", { label: "HEADING", name: "Heading, true", format: direction }),
  headingMagnetic: ofReport("headingMagnetic", {
    label: "HEADING",
    name: "Heading, magnetic",
    format: { ...direction, unit: () => "°M" },
  }),
  apparentSpeed: ofReport("apparentSpeed", {
    label: "AWS",
    name: "Apparent wind speed",
    format: inUnit("wind"),
    limits: plausibleRanges.windKnots,
  }),
  apparentAngle: ofReport("apparentAngle", { label: "AWA", name: "Apparent wind angle", format: windAngle }),
  trueSpeed: ofComputed("trueSpeed", "wind_true", {
    label: "TWS",
    name: "True wind speed",
    format: inUnit("wind"),
    limits: plausibleRanges.windKnots,
  }),
  trueAngle: ofComputed("trueAngle", "wind_true", { label: "TWA", name: "True wind angle", format: windAngle }),
  trueDirection: ofComputed("trueDirection", "wind_true", {
    label: "TWD",
    name: "True wind direction",
    format: direction,
  }),
  vmgWind: computed(
    [],
    (now) => [latest.read("stw", now), latest.read("trueAngle", now)],
    (speed, angle) => speed! * cosine(angle!),
    { label: "VMG", name: "Speed made good to windward", format: inUnit("speed"), note: () => say("to windward") },
  ),
  waypointDistance: distanceToWaypoint,
  waypointBearing: bearingToWaypoint,
  crossTrack: {
    ...crossTrack,
    note: (now) => {
      const reading = crossTrack.read(now);
      // No side is right for an error that is shown as zero.
      if (!("value" in reading) || Number(crossTrack.format.text(reading.value, settings.value.units)) === 0)
        return undefined;
      return say(reading.value > 0 ? "steer left" : "steer right");
    },
  },
  vmgWaypoint: vmgToWaypoint,
  timeToGo: computed(
    [navigationData],
    (now) => [distanceToWaypoint.read(now), vmgToWaypoint.read(now)],
    (miles, knots) => (knots! < SLOWEST_APPROACH_KNOTS ? undefined : (60 * miles!) / knots!),
    { label: "TTG", name: "Time to the waypoint", format: plain(undefined, minutesText) },
  ),
  // The autopilot may steer to the plotter's waypoint, which is not the one that is held.
  headingToSteer: heldOr(pilotHeading),
  rudder: ofMessage(rudder, "positionDeg", {
    label: "Rud",
    name: "Rudder",
    format: sided,
  }),
  heel: ofMessage(attitude, "rollDeg", { label: "HEEL", name: "Heel", format: sided }),
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
      ofAxis: tenths,
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
    limits: plausibleRanges.waterCelsius,
  }),
  outsideTemperature: ofReport("outsideTemperature", {
    label: "Air",
    name: "Air temperature",
    format: inUnit("temperature"),
    limits: plausibleRanges.airCelsius,
  }),
  pressure: ofReport("pressure", {
    label: "Baro",
    name: "Air pressure",
    format: inUnit("airPressure"),
    limits: plausibleRanges.airPascals,
  }),
} as const satisfies Readonly<Record<string, Instrument>>;

export type InstrumentName = keyof typeof instruments;

/** The PGNs that the instruments read. */
export const instrumentPgns: readonly number[] = [
  ...new Set(Object.values(instruments).flatMap(({ reads }) => reads.map(({ pgn }) => pgn))),
];

export const instrumentNames = Object.keys(instruments) as readonly InstrumentName[];

export const instrumentOf = (name: InstrumentName): Instrument => instruments[name];

export const isInstrument = (name: string): name is InstrumentName => Object.hasOwn(instruments, name);

export const instrumentOfHash = (address: string): InstrumentName => {
  const [, , name = ""] = address.split("/");
  return isInstrument(name) ? name : "depth";
};
