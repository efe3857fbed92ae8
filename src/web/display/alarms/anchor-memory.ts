/** Time and depth at which the anchor fell, kept in this browser: the report has only the place. */

import { signal } from "@preact/signals";
import { boatClock } from "../data/store.ts";
import { stored } from "../data/stored.ts";
import { instruments } from "../instruments/instruments.ts";
import { type AlarmsData, currentAlarms } from "./alarms.ts";

export interface Drop {
  readonly latitude: number;
  readonly longitude: number;
  /** Milliseconds since 1970; absent if this page did not see the watch begin. */
  readonly at?: number | undefined;
  /** Metres, in the reference shown at that time. */
  readonly depth?: number | undefined;
}

const PERIOD_MS = 1000;

const memory = stored("hub-anchor", (json) => {
  const { latitude, longitude } = json as Drop;
  return typeof latitude === "number" && typeof longitude === "number" ? (json as Drop) : undefined;
});

export const drop = signal(memory.read());

function keep(value: Drop | undefined): void {
  drop.value = value;
  memory.write(value);
}

type Watch = NonNullable<AlarmsData["anchorWatch"]>;

/** Whether two places are the same, within the decimals of the report, a tenth of a metre. */
const isSame = (a: Drop, b: Watch): boolean =>
  Math.abs(a.latitude - b.latitude) < 1e-5 && Math.abs(a.longitude - b.longitude) < 1e-5;

/** When this page last knew that there is no watch, boat's clock: a watch soon after it begins now. */
let freeAt = Number.NEGATIVE_INFINITY;
/** A page that was frozen, or without a link, for longer does not know when a watch began. */
const LONGEST_GAP_MS = 30_000;
/** Where and when the anchor of the next watch fell, if the crew has chosen an earlier time. */
let earlier: Drop | undefined;

export function dropWas(where: Drop): void {
  earlier = where;
}

function follow(): void {
  const now = performance.now();
  const data = currentAlarms(now);
  if (data === undefined) return;
  const watch = data.anchorWatch;
  if (watch === undefined) {
    if (drop.peek() !== undefined) keep(undefined);
    freeAt = boatClock(now);
    return;
  }
  const known = drop.peek();
  if (known !== undefined && isSame(known, watch)) return;
  const { latitude, longitude } = watch;
  const depth = instruments.depth.read(now);
  // A command that was lost begins no watch, and the next one is elsewhere.
  const chosen = earlier !== undefined && isSame(earlier, watch) ? earlier : undefined;
  const isNow = chosen === undefined && boatClock(now) - freeAt <= LONGEST_GAP_MS;
  keep({
    latitude,
    longitude,
    at: chosen?.at ?? (isNow ? boatClock(now) : undefined),
    depth: isNow && depth.kind === "live" ? depth.value : undefined,
  });
  earlier = undefined;
  freeAt = Number.NEGATIVE_INFINITY;
}

export const startAnchorMemory = (): void => void setInterval(follow, PERIOD_MS);
