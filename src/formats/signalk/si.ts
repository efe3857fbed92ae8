/** Units of hub's messages and reports, and the SI units of Signal K. */

import { ofUnit, type UnitName } from "../../core/n2k/units.ts";

/** value in SI = value x times / per + offset */
export interface Conversion {
  /** Unit by its Signal K name; undefined for a number without one. */
  readonly units?: string;
  readonly times?: number;
  readonly per?: number;
  readonly offset?: number;
}

const unused = undefined;

/** Conversions by the unit in which hub publishes. */
const conversions: Readonly<Record<HubUnit, Conversion | undefined>> = {
  "": {},
  "%": { units: "ratio", per: 100 },
  A: { units: "A" },
  Hz: { units: "Hz" },
  L: { units: "m3", per: 1000 },
  "L/h": { units: "m3/s", per: 3_600_000 },
  NM: { units: "m", times: 1852 },
  Pa: { units: "Pa" },
  V: { units: "V" },
  W: { units: "W" },
  deg: { units: "rad", times: Math.PI, per: 180 },
  "deg/min": { units: "rad/s", times: Math.PI, per: 180 * 60 },
  "deg/s": { units: "rad/s", times: Math.PI, per: 180 },
  h: { units: "s", times: 3600 },
  kPa: { units: "Pa", times: 1000 },
  kn: { units: "m/s", times: 1852, per: 3600 },
  m: { units: "m" },
  "m/s": { units: "m/s" },
  min: { units: "s", times: 60 },
  rpm: { units: "Hz", per: 60 },
  "°C": { units: "K", offset: 273.15 },
  // Units that no path has.
  B: unused,
  Ah: unused,
  K: unused,
  "Pa/h": unused,
  T: unused,
  VA: unused,
  dB: unused,
  "days since 1970-01-01": unused,
  kWh: unused,
  "km/h": unused,
  "min from UTC": unused,
  ms: unused,
  "ns/s": unused,
  ppm: unused,
  ppt: unused,
  s: unused,
  "s since midnight": unused,
  "sqrt(m)": unused,
  var: unused,
};

export type HubUnit = UnitName | "";

/** The conversion of a unit of hub. Throws TypeError for one that is not in the table. */
export function conversionOf(unit: string): Conversion {
  const conversion = unit === "" ? conversions[unit] : ofUnit(conversions, unit);
  if (conversion === undefined) throw new TypeError(`no SI unit for ${unit}`);
  return conversion;
}

/**
 * Ten digits are finer than any sensor, and remove the noise of floating point: 65.07 °C is 338.22 K, not
 * 338.21999999999997.
 */
const DIGITS = 10;

/** @example toSi(65.07, conversionOf("°C")) // 338.22 */
export function toSi(value: number, { times = 1, per = 1, offset = 0 }: Conversion): number {
  return Number(((value * times) / per + offset).toPrecision(DIGITS));
}
