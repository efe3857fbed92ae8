/**
 * The subscriptions of a page: all that it needs or, while messages come late, less: samples of the fast streams and,
 * if the boat has it, the lane of one second in place of PGNs and ships. The navigation report is not taken from a
 * lane, which repeats an unchanged one only twice a minute: silence would be noticed too late.
 */
import { batch, effect, signal } from "@preact/signals";
import { type Place, topics } from "../../../core/topics/topics.ts";
import { ask, connectionState, renew } from "./connection.ts";
import { fastPgns } from "./device-messages.ts";
import { hull } from "./hull.ts";
import { Sampling } from "./sampling.ts";
import { settings } from "./settings.ts";
import { pace } from "./store.ts";

const PERIOD_MS = 50;
const LANE_SECONDS = 1;
/** Pauses shorter than the expiry of a report, two seconds, and at first than that of a fast PGN, three seconds. */
const REPORT_PAUSE_MS = 1000;
const [SHORTEST_PGN_PAUSE_MS, LONGEST_PGN_PAUSE_MS] = [2000, 8000];
/** Longer queues are dropped by a new connection. */
const LONGEST_QUEUE_MS = 8000;
/** Time in which a change of subscriptions takes effect on the delay. */
const EFFECT_MS = 15_000;

/** Whether the page subscribes to less. */
export const isSlow = signal(false);
/** Whether the boat has the lane, which is checked when the page subscribes to less. */
const hasLane = signal(false);
const paused = signal<ReadonlySet<string>>(new Set());
const sampling = new Sampling();
let pgnPauseMs = SHORTEST_PGN_PAUSE_MS;
let begunAt = Number.NEGATIVE_INFINITY;
let renewedAt = Number.NEGATIVE_INFINITY;

export function noteMessage(place: Place | undefined, prefix: string): void {
  if (!isSlow.peek() || place === undefined) return;
  if ("seconds" in place) hasLane.value = true;
  if (place.topic === "navigation") sampling.noteMessage(topics.navigation.name({ prefix }));
  else if (place.topic === "pgn") sampling.noteMessage(topics.pgn.filter({ prefix, pgn: place.pgn }));
}

/** Filters of all lanes, whose retained messages are there before the senders repeat theirs; until the broker answers. */
const lanesRead = signal<readonly string[]>([]);
let lanesAskedAt = Number.POSITIVE_INFINITY;
let pageFilters: readonly string[] = [];

/** Reads the lanes for the messages of a page that has been opened. */
export function readLanes(filters: readonly string[], prefix: string): void {
  if (hull !== undefined || pageFilters.join() === filters.join()) return;
  pageFilters = filters;
  lanesAskedAt = Number.POSITIVE_INFINITY;
  lanesRead.value = filters.map((filter) => laneFilter(filter, { prefix })).filter((filter) => filter !== undefined);
}

/** The broker has answered the question of that time. */
export function noteAnswer(askedAt: number): void {
  sampling.noteAnswer(askedAt);
  if (askedAt >= lanesAskedAt) lanesRead.value = [];
}

/** The filter of the same messages in one lane or all; undefined if lanes do not have them. */
function laneFilter(
  filter: string,
  values: { readonly prefix: string; readonly seconds?: number },
): string | undefined {
  const { prefix } = values;
  if (filter === topics.ais.name({ prefix })) return topics.everyAis.filter(values);
  const pgn = /\/device\/\+\/pgn\/(\d+)$/.exec(filter)?.[1];
  // The filter matches topics with and without an instance.
  return pgn === undefined ? undefined : `${topics.everyPgn.filter({ ...values, pgn: Number(pgn) })}/#`;
}

/** The filters of a page that are subscribed to now. */
export function filtersWanted(filters: readonly string[], prefix: string): readonly string[] {
  if (!isSlow.value) return [...filters, ...lanesRead.value];
  return filters.flatMap((filter) => {
    const lane = laneFilter(filter, { prefix, seconds: LANE_SECONDS });
    const isLeftOut = paused.value.has(filter) || (lane !== undefined && hasLane.value);
    return [...(isLeftOut ? [] : [filter]), ...(lane === undefined ? [] : [lane])];
  });
}

function beginSampling(now: number): void {
  const { prefix } = settings.peek();
  // A pause that was too short is doubled.
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
  // The answer to this question ends a pause.
  if (isChanged) ask();
  if (!isLate || delay < LONGEST_QUEUE_MS || now - renewedAt < EFFECT_MS) return;
  renewedAt = now;
  renew();
}

/** Starts the control, which a fleet does not need: its lane is slow already. */
export function startDemand(): void {
  if (hull !== undefined) return;
  setInterval(follow, PERIOD_MS);
  effect(() => {
    // The question goes after the subscription.
    if (connectionState.value === "connected" && lanesRead.value.length > 0) setTimeout(askAfterLanes);
  });
}

function askAfterLanes(): void {
  lanesAskedAt = performance.now();
  ask();
}
