/** A line of a trend: the values received by this page, joined with the history of the boat. */

import type { Format } from "../instruments/instrument.ts";
import { type InstrumentName, instrumentOf } from "../instruments/instruments.ts";
import type { UnitChoice } from "../instruments/units.ts";
import { said } from "../languages/say.ts";
import { pastPoints } from "./boat-history.ts";
import type { PastValue } from "./range-query.ts";
import { type RangeName, ranges, secondsOf } from "./ranges.ts";
import type { History } from "./ring.ts";
import { histories } from "./trend-memory.ts";
import { joinPoints, singleValue, type TrendPoint, unwrapped } from "./trend-points.ts";

export interface TrendLine {
  /** Distinguishes it from other lines. */
  readonly id: string;
  /** Its name above the plot. */
  readonly title: string;
  /** Whether it has the colour of the true wind in the rose. */
  readonly isTrueWind?: boolean;
  readonly format: Format;
  readonly isDepth?: boolean;
  /** The value in the history of the boat; undefined if it is not recorded. */
  readonly past: PastValue | undefined;
  /** The greatest values between those of the history, which has samples. */
  readonly greatest?: PastValue | undefined;
  readonly fromPast: (value: number) => number;
  /** Values received by this page: of the last minutes and, for instruments, of the last day. */
  readonly minutes: History;
  readonly day?: History;
}

const ofTrueWind: readonly InstrumentName[] = ["trueSpeed", "trueAngle", "trueDirection"];

export function instrumentLine(name: InstrumentName): TrendLine {
  const { label, format, recorded } = instrumentOf(name);
  const now = performance.now();
  const past = recorded && {
    metric: recorded.metric,
    isAngle: format.isWholeTurn === true,
    address: recorded.address?.(now),
  };
  return {
    id: name,
    title: said(label),
    isTrueWind: ofTrueWind.includes(name),
    format,
    isDepth: name === "depth",
    past,
    greatest: past && recorded.greatest !== undefined ? { ...past, metric: recorded.greatest } : undefined,
    fromPast: (value) => recorded?.convert(value, now) ?? value,
    ...histories[name],
  };
}

/** Points of a value received by this page; an angle of a whole turn has no extremes, unless it was unwrapped. */
function heardPoints(history: History, { isWholeTurn = false, isDirection = false }: Format): readonly TrendPoint[] {
  const points = history.points(performance.now() / 1000);
  return isWholeTurn && !isDirection ? points.map(({ at, value }) => singleValue(at, value)) : points;
}

/** Samples, oldest first, with the greatest values up to each of them; the times of two queries differ by parts of a step. */
function withGreatest(samples: readonly TrendPoint[], greatest: readonly TrendPoint[]): readonly TrendPoint[] {
  const highs = samples.map(({ high }) => high);
  let index = 0;
  for (const { at, high } of greatest) {
    while (index < samples.length - 1 && samples[index]!.at < at) index++;
    const before = highs[index];
    if (before !== undefined && before !== null && high !== null) highs[index] = Math.max(before, high);
  }
  return samples.map((point, at) => ({ ...point, high: highs[at]! }));
}

/** The points of a range in the unit of the report, oldest first; times are seconds relative to now. */
export function plainPoints(line: TrendLine, range: RangeName): readonly TrendPoint[] {
  const { format, past, greatest, fromPast } = line;
  const samples = past === undefined ? [] : pastPoints(past, range);
  const read = greatest === undefined ? samples : withGreatest(samples, pastPoints(greatest, range));
  const isDayHeard = range === "day" && read.length === 0 && line.day !== undefined;
  const heard = isDayHeard ? line.day : line.minutes;
  const recorded = read.map((point) => mapped(point, fromPast));
  const joined = joinPoints(recorded, heardPoints(heard, format), {
    step: secondsOf(ranges[range].step),
    liveStep: heard.step,
    isLiveFirst: range === "minutes",
  });
  return format.isDirection ? unwrapped(joined) : joined;
}

/** The same in the chosen units. */
export const linePoints = (line: TrendLine, range: RangeName, units: UnitChoice): readonly TrendPoint[] =>
  plainPoints(line, range).map((point) => mapped(point, (value) => line.format.convert(value, units)));

function mapped({ at, low, value, high }: TrendPoint, convert: (value: number) => number): TrendPoint {
  const of = (one: number | null): number | null => (one === null ? null : convert(one));
  return { at, low: of(low), value: of(value), high: of(high) };
}
