/**
 * The possible values of the quantities of the report, in its units: wider than the records of boats, seas and weather.
 * The selection, the alarms and the display use them; `n2k` has the ranges of messages.
 */
import { airCelsius, waterCelsius } from "../n2k/plausible.ts";

export type Range = readonly [least: number, most: number];

export const plausibleRanges = {
  /** The strongest gust ever measured had 220 knots. */
  windKnots: [0, 220],
  boatKnots: [0, 200],
  /** The deepest trench has 10,935 m. */
  depthMetres: [0, 11_000],
  /** No boat turns about in a second, or drifts across her heading. */
  turnDegreesPerSecond: [-180, 180],
  leewayDegrees: [-90, 90],
  waterCelsius,
  airCelsius,
  /** From a mountain lake at 4000 m to the highest pressure ever measured, 1085 hPa. */
  airPascals: [55_000, 115_000],
} as const satisfies Readonly<Record<string, Range>>;

/** A missing value counts as possible. */
export const canBe = (value: number | undefined, [least, most]: Range): boolean =>
  value === undefined || (value >= least && value <= most);
