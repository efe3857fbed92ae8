/**
 * Ranges of trends. Pure. `span` and `step` are the times that the proxy permits (packaging/nginx/hub-history.conf), in
 * the notation of the engine.
 */

import type { PlainText } from "../languages/texts.ts";

interface RangeTimes {
  /** Text of its button. */
  readonly label: string;
  /** Words for a sentence: "over the last …". */
  readonly words: PlainText;
  readonly span: string;
  /** Interval of the engine's points. */
  readonly step: string;
  /** Unit of the axis: its seconds, and its text. */
  readonly axis: readonly [number, string];
}

const minute = [60, "min"] as const;
const hour = [3600, "h"] as const;
const day = [86_400, "d"] as const;

export const ranges = {
  minutes: { label: "10 min", words: "ten minutes", span: "10m", step: "10s", axis: minute },
  hour: { label: "1 h", words: "hour", span: "1h", step: "10s", axis: minute },
  watch: { label: "6 h", words: "six hours", span: "6h", step: "1m", axis: hour },
  day: { label: "24 h", words: "day", span: "1d", step: "4m", axis: hour },
  week: { label: "7 d", words: "week", span: "1w", step: "30m", axis: day },
  season: { label: "90 d", words: "90 days", span: "90d", step: "6h", axis: day },
} as const satisfies Readonly<Record<string, RangeTimes>>;

export type RangeName = keyof typeof ranges;

export const rangeNames = Object.keys(ranges) as readonly RangeName[];

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Seconds of a time such as `90d`. */
export const secondsOf = (time: string): number =>
  Number.parseInt(time, 10) * (unitSeconds[time.at(-1)!] ?? Number.NaN);

/** A value of a slow lane is repeated after at most half a minute, and expires after a minute. */
const LANE_LIFE_SECONDS = 60;

/** Whether a step has enough samples to show their extremes. */
export const hasEnvelope = (step: string): boolean => secondsOf(step) >= LANE_LIFE_SECONDS;

/** The time before a point whose samples count for it. */
export const windowOf = (step: string): string => (hasEnvelope(step) ? step : "1m");
