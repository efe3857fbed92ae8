/** The angles of the tacks, kept in this browser, so that the other tack is known after a reload. */

import { topicRoot } from "../data/hull.ts";
import { settings } from "../data/settings.ts";
import { stored } from "../data/stored.ts";
import type { TrendPoint } from "../trend/trend-points.ts";
import { type Leg, legNames, tackAngles } from "./past.ts";

interface Tack {
  /** Degrees off the bow. */
  readonly angle: number;
  /** When it was last sailed, milliseconds since 1970. */
  readonly at: number;
}

type Tacks = ReadonlyMap<Leg, Tack>;

/** The angle of an older leg belongs to another wind and another sea. */
const LONGEST_MS = 6 * 3_600_000;

const boat = (): string => topicRoot + settings.peek().prefix;

interface Kept {
  readonly boat: string;
  readonly tacks: Readonly<Partial<Record<Leg, Tack>>>;
}

/** The kept tacks; none of another boat. */
const memory = stored<Kept>("hub-display-tacks", (json) => {
  const kept = json as Kept;
  return kept.boat === boat() ? kept : undefined;
});

const restoreTacks = (): Tacks =>
  new Map(
    legNames.flatMap((leg): readonly [Leg, Tack][] => {
      const tack = memory.read()?.tacks?.[leg];
      return typeof tack?.angle === "number" && tack.angle >= 0 && tack.angle <= 180 ? [[leg, tack]] : [];
    }),
  );

let tacks: Tacks | undefined;

/**
 * The angles off the bow by the past of the wind and of the last hours, of the boat that is shown, also before the page
 * was loaded; kept.
 */
export function tacksOf(windAngles: readonly TrendPoint[]): ReadonlyMap<Leg, number> {
  const before = tacks ?? restoreTacks();
  const now = Date.now();
  const sailed = [...tackAngles(windAngles)].map(([leg, angle]) => [leg, { angle, at: now }] as const);
  const isNews = sailed.some(([leg, { angle }]) => angle !== before.get(leg)?.angle);
  tacks = new Map([...before, ...sailed].filter(([, { at }]) => at <= now && now - at <= LONGEST_MS));
  if (isNews) memory.write({ boat: boat(), tacks: Object.fromEntries(tacks) });
  return new Map([...tacks].map(([leg, { angle }]) => [leg, angle]));
}
