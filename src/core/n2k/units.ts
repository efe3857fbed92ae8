/** Units of published values, and the scales from raw numbers to them. */

/** Every unit in which hub publishes a value; the tables with a value for each unit are keyed by its name. */
const unitNames = [
  "%",
  "A",
  "Ah",
  "B",
  "Hz",
  "K",
  "L",
  "L/h",
  "NM",
  "Pa",
  "Pa/h",
  "T",
  "V",
  "VA",
  "W",
  "dB",
  "days since 1970-01-01",
  "deg",
  "deg/min",
  "deg/s",
  "h",
  "kPa",
  "kWh",
  "km/h",
  "kn",
  "m",
  "m/s",
  "min",
  "min from UTC",
  "ms",
  "ns/s",
  "ppm",
  "ppt",
  "rpm",
  "s",
  "s since midnight",
  "sqrt(m)",
  "var",
  "°C",
] as const;

export type UnitName = (typeof unitNames)[number];

/** The table's value for a unit; undefined for a unit that hub does not have, such as one in the operator's layout. */
export const ofUnit = <Value>(table: Readonly<Partial<Record<UnitName, Value>>>, unit: string): Value | undefined =>
  Object.hasOwn(table, unit) ? table[unit as UnitName] : undefined;

/** Conversions from the unit on the wire to the published one. */
export interface Unit {
  readonly name: UnitName;
  readonly times: number;
  readonly per: number;
  readonly offset?: number;
}

export const degrees: Unit = { name: "deg", times: 180, per: Math.PI };
export const degreesPerSecond: Unit = { name: "deg/s", times: 180, per: Math.PI };
export const degreesPerMinute: Unit = { name: "deg/min", times: 180 * 60, per: Math.PI };
export const knots: Unit = { name: "kn", times: 3600, per: 1852 };
export const celsius: Unit = { name: "°C", times: 1, per: 1, offset: -273.15 };
export const kilopascal: Unit = { name: "kPa", times: 1, per: 1000 };
export const nauticalMiles: Unit = { name: "NM", times: 1, per: 1852 };
export const hours: Unit = { name: "h", times: 1, per: 3600 };
export const minutes: Unit = { name: "min", times: 1, per: 60 };
export const semicircles: Unit = { name: "deg", times: 180, per: 1 };
export const semicirclesPerSecond: Unit = { name: "deg/s", times: 180, per: 1 };
export const nanosecondsPerSecond: Unit = { name: "ns/s", times: 1e9, per: 1 };

/**
 * published = raw x times / per + offset, rounded once, to the last decimal. Dividing by an integer keeps 65 / 100 at
 * 0.65, where 65 x 0.01 is not. Ties go up: 0.1 K on the wire lies half-way between tenths of a degree Celsius, so that
 * 293.2 K (20.05 °C) is published as 20.1 and 253.2 K (-19.95 °C) as -19.9.
 */
export interface Scale {
  readonly times: number;
  readonly per: number;
  readonly offset: number;
  /** Decimals of the published number, 0 to 10: the fewest that keep neighbouring raw numbers distinct. */
  readonly decimals: number;
}

const decimalsOf = (step: number): number => Math.min(10, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));

/** Removes the floating-point noise of a sum such as 273.15 - 200; no resolution here has twelve decimals. */
const tidy = (value: number): number => Number(value.toFixed(12));

export interface ScaleOptions {
  /** Raw numbers per unit on the wire: 100 for a resolution of 0.01. */
  readonly per?: number;
  /** Units on the wire per raw number: 100 for a resolution of 100. */
  readonly times?: number;
  /** Added after scaling, in the unit on the wire. */
  readonly offset?: number;
  /** The published unit: its name, or a conversion from the unit on the wire. */
  readonly unit?: UnitName | Unit;
  /** Fewer decimals than the rule gives, if the document wants an integer. */
  readonly decimals?: number;
}

export const scaleOf = ({ per = 1, times = 1, offset = 0, unit, decimals }: ScaleOptions): Scale => {
  const conversion = typeof unit === "object" ? unit : { times: 1, per: 1 };
  const scale = { times: times * conversion.times, per: per * conversion.per };
  return {
    ...scale,
    offset: tidy((offset * conversion.times) / conversion.per + (("offset" in conversion && conversion.offset) || 0)),
    decimals: decimals ?? decimalsOf(scale.times / scale.per),
  };
};

export const unitName = (unit: UnitName | Unit | undefined): UnitName | undefined =>
  typeof unit === "object" ? unit.name : unit;
