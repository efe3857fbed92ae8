/** Order of AIS targets by urgency. Pure. */
import type { AisReport } from "../nav/ais-report.ts";

export type Target = AisReport["data"]["targets"][number];

/** An approach within both limits is dangerous. */
export interface DangerLimits {
  /** Nautical miles. */
  readonly cpa: number;
  /** Minutes. */
  readonly tcpa: number;
}

/** Whether the closest point of approach lies ahead: `tcpa` is 0 at constant distance and absent once passed. */
export const isClosing = ({ tcpa }: Target): boolean => tcpa !== undefined && tcpa > 0;

export const isDangerous = (target: Target, limits: DangerLimits): boolean =>
  target.class !== "AtoN" &&
  target.class !== "Base" &&
  target.cpa !== undefined &&
  target.tcpa !== undefined &&
  target.cpa <= limits.cpa &&
  target.tcpa <= limits.tcpa;

/** Distress first, then dangerous and then closing ships, both by time; then the others by distance. */
export function sortByUrgency(targets: readonly Target[], limits: DangerLimits): readonly Target[] {
  const rank = (target: Target): number =>
    target.class === "SART" ? 0 : isDangerous(target, limits) ? 1 : isClosing(target) && isMoving(target) ? 2 : 3;
  const far = Number.POSITIVE_INFINITY;
  return targets.toSorted((a, b) => {
    const rankA = rank(a);
    const order = rankA - rank(b);
    if (order !== 0) return order;
    const within = rankA === 3 ? (a.range ?? far) - (b.range ?? far) : (a.tcpa ?? far) - (b.tcpa ?? far);
    // NaN if both lack the value (Infinity minus Infinity); then by MMSI.
    return within || a.mmsi - b.mmsi;
  });
}

/** Fixed stations also have a closing time, but are sorted by distance. */
const isMoving = ({ class: kind }: Target): boolean => kind !== "AtoN" && kind !== "Base";

/** Knots above which a ship counts as under way, by class: her transponder then reports more often. */
const UNDER_WAY_KNOTS = { A: 3, B: 2 } as const;
const PERIODS = 3;

/** Seconds between the reports of a station (ITU-R M.1371-5, tables 1 and 2), the longest that her state allows. */
function reportPeriod({ class: kind, sog = 0, navStatus }: Target): number {
  switch (kind) {
    case "A":
      // Above three knots even a ship "at anchor" reports every ten seconds.
      return sog <= UNDER_WAY_KNOTS.A && /anchor|moored|aground/i.test(navStatus ?? "") ? 180 : 10;
    case "B":
      return sog <= UNDER_WAY_KNOTS.B ? 180 : 30;
    case "AtoN":
      return 180;
    case "SART":
      return 60;
    default:
      return 10;
  }
}

/** Whether a station has not been heard for three of its periods; `boatClock` in milliseconds since 1970. */
export const isLost = (target: Target, boatClock: number): boolean =>
  (boatClock - Date.parse(target.lastSeen)) / 1000 > PERIODS * reportPeriod(target);

/** Ranges of the plot, nautical miles. */
export const ranges = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64] as const;

/** Name of a ship, else her MMSI. */
export const nameOf = ({ name, mmsi }: Target): string => name ?? String(mmsi);
