/** The points of a trend: from the response of the engine, joined with the values received by this page. Pure. */
import type { Labels, Series } from "../../../core/ports/history-engine.ts";
import { isRecord } from "../../../core/util/is-record.ts";
import { unwrapAngle } from "../parts/angles.ts";

/** A value with the extremes of its time; null: not known. */
export interface TrendPoint {
  /** Seconds; since 1970 in a response, relative to now (negative) in a trend. */
  readonly at: number;
  readonly low: number | null;
  readonly value: number | null;
  readonly high: number | null;
}

export const singleValue = (at: number, value: number | null): TrendPoint => ({ at, low: value, value, high: value });

/** Maximum points of a series, above those of any range. */
const MAX_POINTS = 2000;
const MAX_SERIES = 64;

/** `[1795380836.093, "16.55"]`. Throws for another value. */
function readSample(sample: unknown): readonly [number, number] {
  const [at, text] = Array.isArray(sample) ? (sample as readonly unknown[]) : [];
  if (typeof at !== "number" || !Number.isFinite(at) || typeof text !== "string") throw new Error("no sample");
  return [at, Number(text)];
}

/** Series of the response to a range query. Throws for anything else. */
function readSeries(body: unknown): readonly Series[] {
  const data = isRecord(body) && body.status === "success" && isRecord(body.data) ? body.data : {};
  if (data.resultType !== "matrix" || !Array.isArray(data.result)) throw new Error("no response of a range query");
  return (data.result as readonly unknown[]).slice(0, MAX_SERIES).map((series) => {
    if (!isRecord(series) || !isRecord(series.metric) || !Array.isArray(series.values)) throw new Error("no series");
    const samples = (series.values as readonly unknown[]).slice(-MAX_POINTS).map(readSample);
    return { labels: series.metric as Labels, samples: new Map(samples.filter(([, value]) => Number.isFinite(value))) };
  });
}

/** The labels that distinguish devices and instances. */
const identityOf = ({ rollup: _, __name__: __, ...labels }: Labels): string =>
  JSON.stringify(Object.entries(labels).sort());

const rollups = ["min", "avg", "max"] as const;

/**
 * The points of a response to a query for one value. If several devices have the value, each time has that of the first
 * one with a value: the device at `address`, then the one with the most points. Throws for any other response.
 */
export function readPoints(body: unknown, address?: number): readonly TrendPoint[] {
  const senders = new Map<
    string,
    { readonly address: string | undefined; by: Map<string, ReadonlyMap<number, number>> }
  >();
  for (const { labels, samples } of readSeries(body)) {
    const identity = identityOf(labels);
    const sender = senders.get(identity) ?? { address: labels.address, by: new Map() };
    senders.set(identity, sender);
    sender.by.set(labels.rollup ?? "avg", samples);
  }
  const isShown = (of: string | undefined): number => Number(address !== undefined && of === String(address));
  const ordered = [...senders.values()].toSorted(
    (a, b) => isShown(b.address) - isShown(a.address) || (b.by.get("avg")?.size ?? 0) - (a.by.get("avg")?.size ?? 0),
  );
  const points = new Map<number, TrendPoint>();
  for (const { by } of ordered) {
    for (const [at, value] of by.get("avg") ?? []) {
      const [low = value, , high = value] = rollups.map((name) => by.get(name)?.get(at));
      if (!points.has(at)) points.set(at, { at, low, value, high });
    }
  }
  return [...points.values()].sort((a, b) => a.at - b.at);
}

interface JoinOptions {
  /** Seconds between the points of the engine. */
  readonly step: number;
  /** Seconds between the points of this page. */
  readonly liveStep: number;
  /** Whether the points of this page replace those of the engine, or only follow them. */
  readonly isLiveFirst: boolean;
}

/** Seconds after which a value of the engine expires if points of this page follow. */
const JOINT_SECONDS = 60;

/**
 * Points of the engine and of this page as one line, oldest first, with a point without value in each gap. Both have
 * times relative to now; a live point without value is a gap, and so is the time after the last value.
 */
export function joinPoints(
  past: readonly TrendPoint[],
  live: readonly TrendPoint[],
  { step, liveStep, isLiveFirst }: JoinOptions,
): readonly TrendPoint[] {
  const lastPast = past.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  const heard = live.filter(({ at, value }) => value !== null && (isLiveFirst || at > lastPast));
  const isHeard = (at: number): boolean => heard.some((point) => Math.abs(point.at - at) < step);
  const kept = isLiveFirst ? past.filter(({ at }) => !isHeard(at)) : past;
  const isLive = new Set(heard);
  const all = [...kept, ...heard].sort((a, b) => a.at - b.at);
  const lengthOf = (point: TrendPoint): number => (isLive.has(point) ? liveStep : step);
  return all.flatMap((point, index) => {
    const after = all[index + 1];
    const both = [point, after].filter((one) => one && isLive.has(one)).length;
    const longest = after === undefined || both !== 1 ? 1.5 * lengthOf(point) : Math.max(1.5 * step, JOINT_SECONDS);
    return (after?.at ?? 0) - point.at > longest ? [point, singleValue(point.at + lengthOf(point), null)] : [point];
  });
}

/** Directions without the jump at north. */
export function unwrapped(points: readonly TrendPoint[]): readonly TrendPoint[] {
  let before: number | undefined;
  return points.map((point) => {
    const { at, low, value, high } = point;
    if (value === null) return point;
    before = before === undefined ? value : unwrapAngle(before, value);
    const turns = before - value;
    return { at, low: low! + turns, value: before, high: high! + turns };
  });
}

const WHOLE_SHARE = 0.98;

/** The least and the greatest value of a time, and the seconds of it that are known. */
export interface Extent {
  readonly low: number;
  readonly high: number;
  readonly seconds: number;
}

/**
 * The extent of the points of a range of so many seconds, oldest first, with times relative to now; undefined without
 * values. A point stands for the time up to the next one, the last one up to now unless a gap follows.
 */
export function extentOf(points: readonly TrendPoint[], range: number): Extent | undefined {
  let [low, high, seconds] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const [index, point] of points.entries()) {
    if (point.low === null || point.high === null) continue;
    low = Math.min(low, point.low);
    high = Math.max(high, point.high);
    seconds += (points[index + 1]?.at ?? 0) - point.at;
  }
  if (low > high) return undefined;
  // The first point of a whole range is up to a step after its begin.
  return { low, high, seconds: seconds > WHOLE_SHARE * range ? range : seconds };
}
