/** Past values of the instruments, kept in this browser, so that trends outlast a reload if the boat has no history. */

import { stored } from "../data/stored.ts";
import { type InstrumentName, instrumentNames, instrumentOf } from "../instruments/instruments.ts";
import { unwrapAngle } from "../parts/angles.ts";
import { History } from "./ring.ts";
import type { TrendPoint } from "./trend-points.ts";

/** Seconds of a trend, and of one of its points. */
const spans = { minutes: { seconds: 600, step: 2 }, day: { seconds: 86_400, step: 300 } } as const;
type Span = keyof typeof spans;
const spanNames = Object.keys(spans) as readonly Span[];

type Histories = Readonly<Record<InstrumentName, Readonly<Record<Span, History>>>>;

const newHistory = (span: Span): History => new History(spans[span].seconds, spans[span].step);

/** Directions are unwrapped, so that a line does not jump at north. */
export const histories = Object.fromEntries(
  instrumentNames.map((name) => [name, { minutes: newHistory("minutes"), day: newHistory("day") }]),
) as Histories;

const SAVE_PERIOD_MS = 60_000;

interface Kept {
  readonly prefix: string;
  readonly savedAt: number;
  readonly values: Readonly<Record<string, readonly unknown[]>>;
}

const memory = stored("hub-display-history", (json) => json as Kept);
let savedAt = Number.NEGATIVE_INFINITY;

/** Adds the present values of the instruments at a time, monotonic milliseconds. */
export function record(now: number, prefix: string): void {
  for (const name of instrumentNames) {
    const { read, format } = instrumentOf(name);
    const reading = read(now);
    if (reading.kind !== "live") continue;
    for (const span of spanNames) {
      const history = histories[name][span];
      const { last } = history;
      const value = format.isDirection && !Number.isNaN(last) ? unwrapAngle(last, reading.value) : reading.value;
      history.add(value, now / 1000);
    }
  }
  if (now - savedAt > SAVE_PERIOD_MS) save(now, prefix);
}

/** Five digits of a value are finer than a pixel. */
const rounded = (value: number): number => Number(value.toPrecision(6));

/** A step in the storage: its value, with the extremes around it where they differ. */
type KeptPoint = number | null | readonly [low: number, value: number, high: number];

function keptPoint({ low, value, high }: TrendPoint): KeptPoint {
  if (value === null) return null;
  return low === value && high === value ? rounded(value) : [rounded(low!), rounded(value), rounded(high!)];
}

export function save(now: number, prefix: string): void {
  savedAt = now;
  const values = Object.fromEntries(
    instrumentNames
      .map((name) => [name, spanNames.map((span) => histories[name][span].points(now / 1000).map(keptPoint))] as const)
      .filter(([, lists]) => lists.some((list) => list.some((value) => value !== null))),
  );
  memory.write({ prefix, savedAt: Date.now(), values });
}

/** Fills the empty histories with the values kept for this prefix; points that are too old are dropped. */
export function restore(now: number, prefix: string): void {
  const kept = memory.read();
  const age = Date.now() - (kept?.savedAt ?? Number.NaN);
  // A clock that went back does not tell how old the values are.
  if (kept?.prefix !== prefix || !(age >= 0)) return;
  const end = (now - age) / 1000;
  for (const name of instrumentNames) {
    for (const [index, span] of spanNames.entries()) {
      const list = kept.values?.[name]?.[index];
      if (Array.isArray(list)) refill(histories[name][span], list, end);
    }
  }
}

function refill(history: History, values: readonly unknown[], end: number): void {
  values.forEach((point, index) => {
    const at = end - (values.length - 1 - index) * history.step;
    const [low, value, high] = Array.isArray(point) ? (point as readonly unknown[]) : [point, point, point];
    if (typeof low === "number" && typeof value === "number" && typeof high === "number")
      history.add(value, at, low, high);
  });
}
