/** Units in which sources give their values, each with its way to the unit of its dimension. */

type Dimension =
  | "angle"
  | "charge"
  | "current"
  | "flow"
  | "frequency"
  | "length"
  | "power"
  | "pressure"
  | "ratio"
  | "rotation"
  | "speed"
  | "temperature"
  | "time"
  | "voltage"
  | "volume";

export interface SourceUnit {
  readonly dimension: Dimension;
  /** Value in the unit of the dimension = value × `times` + `plus`. */
  readonly times: number;
  readonly plus?: number;
}

const of =
  (dimension: Dimension) =>
  (times = 1, plus = 0): SourceUnit => ({ dimension, times, plus });

const [angle, charge, current, flow] = [of("angle"), of("charge"), of("current"), of("flow")];
const [frequency, length, power, pressure] = [of("frequency"), of("length"), of("power"), of("pressure")];
const [ratio, rotation, speed, temperature] = [of("ratio"), of("rotation"), of("speed"), of("temperature")];
const [time, voltage, volume] = [of("time"), of("voltage"), of("volume")];

/** Litres of a US gallon. */
const GALLON = 3.785411784;

/** Units by name; names that hub publishes are those of `n2k/units.ts`. */
export const sourceUnits = {
  "°C": temperature(),
  "°F": temperature(5 / 9, -160 / 9),
  K: temperature(1, -273.15),
  "%": ratio(),
  ratio: ratio(100),
  V: voltage(),
  mV: voltage(1 / 1000),
  A: current(),
  mA: current(1 / 1000),
  Ah: charge(),
  W: power(),
  kW: power(1000),
  Hz: frequency(),
  Pa: pressure(),
  hPa: pressure(100),
  mbar: pressure(100),
  kPa: pressure(1000),
  bar: pressure(100_000),
  psi: pressure(6894.757293168),
  inHg: pressure(3386.389),
  L: volume(),
  "m³": volume(1000),
  gal: volume(GALLON),
  m: length(),
  cm: length(1 / 100),
  mm: length(1 / 1000),
  ft: length(0.3048),
  in: length(0.0254),
  "m/s": speed(),
  kn: speed(1852 / 3600),
  "km/h": speed(1 / 3.6),
  mph: speed(0.44704),
  deg: angle(),
  rad: angle(180 / Math.PI),
  s: time(),
  min: time(60),
  h: time(3600),
  rpm: rotation(),
  "L/h": flow(),
  "gal/h": flow(GALLON),
} as const satisfies Readonly<Record<string, SourceUnit>>;

export type SourceUnitName = keyof typeof sourceUnits;

export const sourceUnitNames = Object.keys(sourceUnits) as readonly SourceUnitName[];

/** Whether a unit that hub publishes, or another text, is a unit of sources. */
export const isSourceUnit = (unit: string | undefined): unit is SourceUnitName =>
  unit !== undefined && Object.hasOwn(sourceUnits, unit);

/** The units that measure what a unit measures. */
export const unitsLike = (unit: SourceUnitName): readonly SourceUnitName[] =>
  sourceUnitNames.filter((other) => sourceUnits[other].dimension === sourceUnits[unit].dimension);

/** A value in another unit of the same dimension. */
export function converted(value: number, from: SourceUnitName, to: SourceUnitName): number {
  const [source, target]: readonly SourceUnit[] = [sourceUnits[from], sourceUnits[to]];
  if (from === to) return value;
  return (value * source!.times + (source!.plus ?? 0) - (target!.plus ?? 0)) / target!.times;
}
