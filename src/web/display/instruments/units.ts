/** Number formats of the instruments: units, decimals, coordinates. Pure. */

import { beaufort } from "../../../core/nav/beaufort.ts";
import { fixed, tenths } from "../../../core/text/quantity.ts";
import { numberText } from "../languages/formats.ts";

interface Unit {
  /** Name in the settings: "Metres". */
  readonly name: string;
  /** Converts from the unit of the reports. */
  readonly from: (value: number) => number;
  /** Decimals; undefined: one below 100, none above. */
  readonly decimals?: number;
}

const times =
  (factor: number) =>
  (value: number): number =>
    value * factor;
const same = times(1);

/**
 * The units of each measure; the first is the default, and the only one that needs no conversion is that of the
 * reports: m, kn, NM, degrees Celsius, Pa, L, kPa.
 */
export const measures = {
  depth: {
    name: "Depth",
    units: {
      m: { name: "Metres", from: same },
      ft: { name: "Feet", from: times(1 / 0.3048) },
      fm: { name: "Fathoms", from: times(1 / 1.8288) },
    },
  },
  speed: {
    name: "Speed",
    units: {
      kn: { name: "Knots", from: same },
      "km/h": { name: "Kilometres an hour", from: times(1.852) },
      mph: { name: "Miles an hour", from: times(1852 / 1609.344) },
    },
  },
  wind: {
    name: "Wind",
    units: {
      kn: { name: "Knots", from: same },
      "m/s": { name: "Metres a second", from: times(1852 / 3600) },
      "km/h": { name: "Kilometres an hour", from: times(1.852) },
      Bft: { name: "Beaufort", from: beaufort, decimals: 0 },
    },
  },
  distance: {
    name: "Distance",
    units: {
      NM: { name: "Nautical miles", from: same },
      km: { name: "Kilometres", from: times(1.852) },
      mi: { name: "Statute miles", from: times(1852 / 1609.344) },
    },
  },
  temperature: {
    name: "Temperature",
    units: {
      "°C": { name: "Celsius", from: same },
      "°F": { name: "Fahrenheit", from: (celsius) => celsius * 1.8 + 32 },
    },
  },
  airPressure: {
    name: "Barometer",
    units: {
      hPa: { name: "Hectopascals", from: times(0.01), decimals: 0 },
      inHg: { name: "Inches of mercury", from: times(1 / 3386.389), decimals: 2 },
      mmHg: { name: "Millimetres of mercury", from: times(1 / 133.3224), decimals: 0 },
    },
  },
  enginePressure: {
    name: "Engine pressure",
    units: {
      bar: { name: "Bars", from: times(0.01) },
      kPa: { name: "Kilopascals", from: same, decimals: 0 },
      psi: { name: "Pounds a square inch", from: times(1 / 6.894757), decimals: 0 },
    },
  },
  volume: {
    name: "Fuel and water",
    units: {
      L: { name: "Litres", from: same, decimals: 0 },
      gal: { name: "US gallons", from: times(1 / 3.785411784), decimals: 0 },
      "imp gal": { name: "Imperial gallons", from: times(1 / 4.54609), decimals: 0 },
    },
  },
} as const satisfies Readonly<
  Record<string, { readonly name: string; readonly units: Readonly<Record<string, Unit>> }>
>;

export type MeasureName = keyof typeof measures;

export type UnitChoice = { readonly [Name in MeasureName]: keyof (typeof measures)[Name]["units"] & string };

export const measureNames = Object.keys(measures) as readonly MeasureName[];

export const unitsOf = (measure: MeasureName): Readonly<Record<string, Unit>> => measures[measure].units;

export const defaultUnits = Object.fromEntries(
  measureNames.map((name) => [name, Object.keys(unitsOf(name))[0]!]),
) as UnitChoice;

export const convert = (measure: MeasureName, units: UnitChoice, value: number): number =>
  unitsOf(measure)[units[measure]]!.from(value);

/** A distance below it has two decimals: 0.07 miles to a ship are not 0.1. */
const SHORT_DISTANCE = 0.995;

/** A value in the chosen unit as text, without the unit. */
export const measureText = (measure: MeasureName, units: UnitChoice, value: number): string =>
  convertedText(measure, units, convert(measure, units, value));

/** The same of a value that is in the chosen unit. */
export function convertedText(measure: MeasureName, units: UnitChoice, converted: number): string {
  const { decimals } = unitsOf(measure)[units[measure]]!;
  if (measure === "distance" && Math.abs(converted) < SHORT_DISTANCE) return fixed(converted, 2);
  return decimals === undefined ? tenths(converted) : fixed(converted, decimals);
}

/** A distance of a scale: two significant digits where it is short, of which half may be a ring: 0.015, 0.13, 2. */
export function scaleText(units: UnitChoice, miles: number): string {
  const shown = convert("distance", units, miles);
  return numberText(String(Number(shown < SHORT_DISTANCE ? shown.toPrecision(2) : tenths(shown))));
}

/** A value in the chosen unit with the unit: "14.5 °C". */
export const withUnit = (measure: MeasureName, units: UnitChoice, value: number): string =>
  `${numberText(measureText(measure, units, value))}\u202f${units[measure]}`;

/** Three digits, 000 to 359: 007, 295. */
export const bearingText = (degrees: number): string =>
  String(Math.round(((degrees % 360) + 360) % 360) % 360).padStart(3, "0");

/** An angle off the bow without its side, 0 to 180. */
export const offBow = (degrees: number): string => String(Math.round(Math.abs(degrees)));

/** Side by the sign of a shown value; undefined for zero, and for an angle of a whole turn astern. */
export const sideOf = (shown: number, isWholeTurn = false): "port" | "starboard" | undefined => {
  const whole = Math.round(shown);
  return whole === 0 || (isWholeTurn && Math.abs(whole) === 180) ? undefined : whole < 0 ? "port" : "starboard";
};

/** Degrees and minutes with three decimals (2 m): 53° 18.335′ N. */
export function coordinateText(degrees: number, axis: "latitude" | "longitude"): string {
  // Rounded before it is split, so that 59.9996 minutes become the next degree, not 60.000.
  const thousandths = Math.round(Math.abs(degrees) * 60_000);
  const whole = String(Math.floor(thousandths / 60_000)).padStart(axis === "latitude" ? 2 : 3, "0");
  const minutes = ((thousandths % 60_000) / 1000).toFixed(3).padStart(6, "0");
  const letter = axis === "latitude" ? (degrees < 0 ? "S" : "N") : degrees < 0 ? "W" : "E";
  return `${whole}° ${numberText(minutes)}′ ${letter}`;
}

/** Counts with thin spaces between thousands: 18 520 061. */
export const countText = (count: number): string => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, "\u202f");

/** Date and time of the boat, which are UTC, in a time zone of this device; undefined zone: UTC. */
export function dateTimeText(
  date: string,
  time: string,
  zone: "UTC" | "local",
): { readonly date: string; readonly time: string } {
  // A leap second is not a time that Date knows.
  const moment = new Date(`${date}T${time.replace(/:60$/, ":59")}Z`);
  if (zone === "UTC" || Number.isNaN(moment.getTime())) return { date, time };
  const two = (number: number): string => String(number).padStart(2, "0");
  return {
    date: `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`,
    time: `${two(moment.getHours())}:${two(moment.getMinutes())}:${two(moment.getSeconds())}`,
  };
}

/** A number written with a point or a comma; undefined for other text, and for `1,000`, which is ambiguous. */
export const decimalOf = (text: string): number | undefined =>
  /^[-+]?(\d+([.,]\d*)?|[.,]\d+)$/.test(text) && !/^[-+]?[1-9]\d{0,2},\d{3}$/.test(text)
    ? Number(text.replace(",", "."))
    : undefined;
