/** The view of the plot of ships: middle, range, and the direction that is up. */

import { signal } from "@preact/signals";
import type { Position } from "../../../core/nav/great-circle.ts";
import { placedCalls, searchMiles } from "../alarms/calls.ts";
import { type Point, placeOf, pointOf, type View } from "../chart/view.ts";
import { changeSettings, settings } from "../data/settings.ts";
import { latest } from "../data/store.ts";
import { ranges } from "./traffic.ts";

/** The middle that the crew has chosen; undefined: own ship. */
export const middle = signal<Position>();

/** The factor by which two fingers stretch the plot now. */
export const stretched = signal(1);

/** Ranges around a person near the boat, nautical miles. */
const searchRanges = [0.03, 0.06, 0.12, ...ranges] as const;
/** Share of the range that the farther of both takes. */
const SEARCH_SHARE = 0.85;

/** The calls for which the crew has chosen a range or a middle; undefined: not since the last call. */
const seen = signal<string>();
const callsKey = (now: number): string | undefined =>
  placedCalls(now)
    .map(({ isPerson, key }) => `${isPerson} ${key}`)
    .sort()
    .join() || undefined;

/** The range of the plot in nautical miles: of the crew, or that in which own ship and a new call are in sight. */
export function rangeNow(now: number): number {
  const key = callsKey(now);
  const miles = key === undefined || key === seen.value ? undefined : searchMiles(now);
  if (miles === undefined) return ranges[settings.value.range] ?? 2;
  return searchRanges.find((range) => miles <= range * SEARCH_SHARE) ?? ranges.at(-1)!;
}

/** The middle of the plot: the one that the crew has chosen for these calls, or own ship. */
export const middleNow = (now: number): Position | undefined => {
  const key = callsKey(now);
  return key === undefined || key === seen.value ? middle.value : undefined;
};

/** Keeps the shown range and centre as the crew's own, which their choices change from now on. */
function take(now: number): void {
  const shown = rangeNow(now);
  middle.value = middleNow(now);
  seen.value = callsKey(now);
  const index = ranges.findIndex((range) => range >= shown);
  changeSettings({ range: index === -1 ? ranges.length - 1 : index });
}

/** Selects the next range, or the one before. */
export function zoom(step: number): void {
  take(performance.now());
  changeSettings({ range: Math.min(ranges.length - 1, Math.max(0, settings.value.range + step)) });
}

/** Selects the range nearest to what the fingers have made of the present one. */
export function endStretch(): void {
  const steps = Math.round(Math.log2(stretched.peek()));
  stretched.value = 1;
  if (steps !== 0) zoom(-steps);
}

/** Moves the plot by pixels. */
export function drag(view: View, by: Point): void {
  take(performance.now());
  middle.value = placeOf(view, { x: -by.x, y: -by.y });
}

/** The direction of the bow, or else of the course, and own course and speed, if known. */
export function ownMotion(now: number) {
  const heading = latest.read("headingTrue", now);
  const cog = latest.read("cog", now);
  const sog = latest.read("sog", now);
  const course = cog.kind === "live" ? cog.value : undefined;
  const bow = heading.kind === "live" ? heading.value : course;
  return { bow, course, speed: sog.kind === "live" ? sog.value : undefined };
}

/** The angle by which the plot is turned; 0 while the direction that should be up is not known. */
export function turnOf({ bow, course }: ReturnType<typeof ownMotion>): number {
  const { up } = settings.value;
  const direction = up === "north" ? 0 : up === "head" ? bow : course;
  return -(direction ?? 0);
}

/** Where own ship is on the plot: in the middle of one without a view, and nowhere in a view while her place is unknown. */
export const ownPoint = (view: View | undefined, place: Position | undefined): Point | undefined =>
  view === undefined ? { x: 0, y: 0 } : place && pointOf(view, place);
