/** Which ships matter: those that come close, the soonest first. Pure; the types are the report's own. */
import type { AisReport } from "../nav/ais-report-schema.ts";

export type Target = AisReport["data"]["targets"][number];

/** When a meeting is close and soon enough to be called dangerous. */
export interface DangerLimits {
  /** Nautical miles. */
  readonly cpa: number;
  /** Minutes. */
  readonly tcpa: number;
}

/** A meeting is ahead: `tcpa` is 0 also for ships that keep their distance, and absent behind. */
export const isClosing = ({ tcpa }: Target): boolean => tcpa !== undefined && tcpa > 0;

export const isDangerous = (target: Target, limits: DangerLimits): boolean =>
  target.class !== "AtoN" &&
  target.class !== "Base" &&
  target.cpa !== undefined &&
  target.tcpa !== undefined &&
  target.cpa <= limits.cpa &&
  target.tcpa <= limits.tcpa;

/** Distress first, then the dangerous, then those that close, both by time; then the rest from near to far. */
export function inOrder(targets: readonly Target[], limits: DangerLimits): readonly Target[] {
  const rank = (target: Target): number =>
    target.class === "SART" ? 0 : isDangerous(target, limits) ? 1 : isClosing(target) && isMoving(target) ? 2 : 3;
  const far = Number.POSITIVE_INFINITY;
  return targets.toSorted((a, b) => {
    const rankA = rank(a);
    const order = rankA - rank(b);
    if (order !== 0) return order;
    const within = rankA === 3 ? (a.range ?? far) - (b.range ?? far) : (a.tcpa ?? far) - (b.tcpa ?? far);
    // Infinity less infinity is no number; both without a range are in the order of their numbers.
    return within || a.mmsi - b.mmsi;
  });
}

/** A buoy closes too, but nobody needs to be told by the clock. */
const isMoving = ({ class: kind }: Target): boolean => kind !== "AtoN" && kind !== "Base";

/** Ranges of the plot, nautical miles. */
export const ranges = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64] as const;

/** What a ship is called: her name, else her number. */
export const nameOf = ({ name, mmsi }: Target): string => name ?? String(mmsi);
