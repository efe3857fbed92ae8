/**
 * The demand on the broker: all that a page needs or, while it comes late, less of it until it is in time: samples of the fast
 * streams and, where the boat has it, the lane of one second in place of PGNs and ships. The navigation report is not taken from a
 * lane, which repeats it twice a minute while it does not change: silence would be noticed too late.
 */
import { batch, signal } from "@preact/signals";
import { type Place, topics } from "../../topics/topics.ts";
import { settings } from "../settings.ts";
import { ask, renew } from "./connection.ts";
import { hull } from "./hull.ts";
import { Sampling } from "./sampling.ts";
import { fastPgns, pace } from "./store.ts";

const PERIOD_MS = 50;
const LANE_SECONDS = 1;
/** Shorter than the two seconds for which a report lives, and at first than the three of a fast PGN. */
const REPORT_PAUSE_MS = 1000;
const [SHORTEST_PGN_PAUSE_MS, LONGEST_PGN_PAUSE_MS] = [2000, 8000];
/** A queue that is longer is thrown away, by a new connection, rather than waited for. */
const LONGEST_QUEUE_MS = 8000;
/** A change of the demand has its effect on the delay in this time. */
const EFFECT_MS = 15_000;

/** Less is asked for. */
export const isSlow = signal(false);
/** The boat has the lane; it is looked for when less is asked for. */
const hasLane = signal(false);
const paused = signal<ReadonlySet<string>>(new Set());
const sampling = new Sampling();
let pgnPauseMs = SHORTEST_PGN_PAUSE_MS;
let begunAt = Number.NEGATIVE_INFINITY;
let renewedAt = Number.NEGATIVE_INFINITY;

/** Notes what has arrived. */
export function heard(place: Place | undefined, prefix: string): void {
  if (!isSlow.peek() || place === undefined) return;
  if ("seconds" in place) hasLane.value = true;
  if (place.topic === "navigation") sampling.hear(topics.navigation.name({ prefix }));
  else if (place.topic === "pgn") sampling.hear(topics.pgn.filter({ prefix, pgn: place.pgn }));
}

/** The broker has answered what was asked at that time. */
export const answered = (askedAt: number): void => sampling.answered(askedAt);

/** The filter of the same messages in the lane; undefined where they are in none. */
function laneFilter(filter: string, prefix: string): string | undefined {
  const values = { prefix, seconds: LANE_SECONDS };
  if (filter === topics.ais.name({ prefix })) return topics.everyAis.name(values);
  const pgn = /\/device\/\+\/pgn\/(\d+)$/.exec(filter)?.[1];
  // With and without an instance.
  return pgn === undefined ? undefined : `${topics.everyPgn.filter({ ...values, pgn: Number(pgn) })}/#`;
}

/** Those of the filters of a page that are subscribed to now. */
export function asked(filters: readonly string[], prefix: string): readonly string[] {
  if (!isSlow.value) return filters;
  return filters.flatMap((filter) => {
    const lane = laneFilter(filter, prefix);
    const isLeftOut = paused.value.has(filter) || (lane !== undefined && hasLane.value);
    return [...(isLeftOut ? [] : [filter]), ...(lane === undefined ? [] : [lane])];
  });
}

function beginSampling(now: number): void {
  const { prefix } = settings.peek();
  // A pause that was not enough is doubled.
  pgnPauseMs = isSlow.peek() ? Math.min(LONGEST_PGN_PAUSE_MS, 2 * pgnPauseMs) : SHORTEST_PGN_PAUSE_MS;
  begunAt = now;
  const pgns = fastPgns().map((pgn) => [topics.pgn.filter({ prefix, pgn }), pgnPauseMs] as const);
  sampling.begin(new Map([[topics.navigation.name({ prefix }), REPORT_PAUSE_MS], ...pgns]), now);
}

function follow(): void {
  const now = performance.now();
  const { isSlow: isSlowNow, isLate, delay } = pace;
  if (isSlowNow && !isSlow.peek()) hasLane.value = false;
  if (isSlowNow && (!isSlow.peek() || (isLate && now - begunAt > EFFECT_MS))) beginSampling(now);
  const next = isSlowNow ? sampling.pausedAt(now) : new Set<string>();
  const isChanged = [...next].join() !== [...paused.peek()].join();
  batch(() => {
    isSlow.value = isSlowNow;
    if (isChanged) paused.value = next;
  });
  // Its answer ends a pause.
  if (isChanged) ask();
  if (!isLate || delay < LONGEST_QUEUE_MS || now - renewedAt < EFFECT_MS) return;
  renewedAt = now;
  renew();
}

/** The lane of a fleet is slow already. */
export function startDemand(): void {
  if (hull === undefined) setInterval(follow, PERIOD_MS);
}
