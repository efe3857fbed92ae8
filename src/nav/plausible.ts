/**
 * What the quantities of the report can be, in its units: beyond what boats, seas and weather have had. The selection, the alarms
 * and the display read it; of messages, see `n2k`.
 */
import { airCelsius, waterCelsius } from "../n2k/plausible.ts";

export type Range = readonly [least: number, most: number];

export const plausibleRanges = {
  /** The strongest gust that was measured is 220 knots. */
  windKnots: [0, 220],
  boatKnots: [0, 200],
  /** The deepest trench has 10,935 m. */
  depthMetres: [0, 11_000],
  waterCelsius,
  airCelsius,
  /** From a mountain lake at 4000 m to the highest pressure that was measured, 1085 hPa. */
  airPascals: [55_000, 115_000],
} as const satisfies Readonly<Record<string, Range>>;

/** A value that is not there can be anything. */
export const canBe = (value: number | undefined, [least, most]: Range): boolean =>
  value === undefined || (value >= least && value <= most);
