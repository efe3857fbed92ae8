/**
 * Queries to the history of the boat, `/api/history/query_range`. Without a history, or if it fails, the display uses
 * the values that it receives itself and asks again every minute.
 */

import { effect, signal } from "@preact/signals";
import type { Position } from "../../../core/nav/great-circle.ts";
import { NAVIGATION, navigationField, seriesName } from "../../../core/topics/measurements.ts";
import { invalidate, secondTick } from "../data/frame-tick.ts";
import { hull } from "../data/hull.ts";
import { settings } from "../data/settings.ts";
import { boatClock } from "../data/store.ts";
import { type PastValue, rangeUrl } from "./range-query.ts";
import { type RangeName, ranges, secondsOf } from "./ranges.ts";
import { readPoints, type TrendPoint } from "./trend-points.ts";

const TIMEOUT_MS = 10_000;
const RETRY_MS = 60_000;
/** Limits of the time until a response is requested anew, which is its step. */
const [SOONEST_MS, LATEST_MS] = [60_000, 300_000];
/** Maximum bytes, far above the longest response. */
const MAX_BYTES = 2 ** 20;

/** `none`: no query has succeeded yet. */
export const pastState = signal<"none" | "there" | "away">("none");

/** The boat's clock, which the times of the engine follow. */
const clockSeconds = (): number => boatClock(performance.now()) / 1000;

interface Answer {
  /** Times are seconds since 1970. */
  points: readonly TrendPoint[];
  /** Monotonic milliseconds from which it is requested again. */
  expires: number;
}

/** Responses by URL; those of earlier pages are dropped. */
const answers = new Map<string, Answer>();
const MAX_ANSWERS = 16;
let probedAt = Number.NEGATIVE_INFINITY;

/** Points of a response. The current step ends now; later points were written before the clock was set back. */
async function fetchPoints(url: string, address: number | undefined): Promise<readonly TrendPoint[]> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  // Only the query of this value failed, for example because of a tag that the proxy refuses.
  if (response.status === 400) return [];
  if (!response.ok) throw new Error(`status ${response.status}`);
  const text = await response.text();
  if (text.length > MAX_BYTES) throw new Error("too long");
  const now = clockSeconds();
  const step = secondsOf(url.slice(url.lastIndexOf("=") + 1));
  return readPoints(JSON.parse(text), address)
    .filter(({ at }) => at < now + step)
    .map((point) => (point.at > now ? { ...point, at: now } : point));
}

async function ask(url: string, address: number | undefined, lifeMs: number): Promise<void> {
  const answer = answers.get(url) ?? { points: [], expires: 0 };
  // Set while the request runs too, so that it is sent once.
  answer.expires = performance.now() + lifeMs;
  answers.delete(url);
  answers.set(url, answer);
  for (const old of [...answers.keys()].slice(0, -MAX_ANSWERS)) answers.delete(old);
  try {
    answer.points = await fetchPoints(url, address);
    pastState.value = "there";
  } catch {
    // The boat may have no history: only an earlier one can be away.
    if (pastState.peek() === "there") pastState.value = "away";
    answer.expires = performance.now() + RETRY_MS;
  }
  invalidate();
}

/** Received points of a value, with times relative to now; requests them while the history is there. */
export function pastPoints(value: PastValue, range: RangeName, step?: string): readonly TrendPoint[] {
  const url = rangeUrl(settings.peek().prefix, value, range, step);
  const answer = answers.get(url);
  if (pastState.peek() === "there" && performance.now() >= (answer?.expires ?? 0)) {
    const stepMs = 1000 * secondsOf(ranges[range].step);
    void ask(url, value.address, Math.min(LATEST_MS, Math.max(SOONEST_MS, stepMs)));
  }
  const now = clockSeconds();
  const from = -secondsOf(ranges[range].span);
  return (answer?.points ?? [])
    .map((point) => ({ ...point, at: point.at - now }))
    .filter(({ at }) => at >= from && at <= 0);
}

const coordinateSeries = (name: keyof Position): string => seriesName(NAVIGATION, navigationField("position", name));

/** Latitudes or longitudes of the last day, one a minute. */
export const pastCoordinates = (name: keyof Position): readonly TrendPoint[] =>
  pastPoints({ metric: coordinateSeries(name), isAngle: true }, "day", "1m");

/**
 * Checks for a history now and, while there is none, every minute while the page is visible; a fleet cannot reach that
 * of a boat.
 */
export function startPast(): void {
  if (hull !== undefined) return;
  effect(() => {
    const now = secondTick.value;
    if (pastState.peek() === "there" || now - probedAt < RETRY_MS) return;
    probedAt = now;
    void ask(
      rangeUrl(settings.peek().prefix, { metric: coordinateSeries("latitude") }, "minutes"),
      undefined,
      RETRY_MS,
    );
  });
}
