/** Order of AIS targets by urgency. Pure. */
import type { AisReport } from "../../../core/nav/ais-report.ts";
import { isLost as isLostAfter } from "../../../core/nav/reporting-interval.ts";

export type Target = AisReport["data"]["targets"][number];

/** Whether the closest point of approach lies ahead: `tcpa` is 0 at constant distance and absent once passed. */
export const isClosing = ({ tcpa }: Target): boolean => tcpa !== undefined && tcpa > 0;

/** Distress first, then dangerous and then closing ships, both by time; then the others by distance. */
export function sortByUrgency(targets: readonly Target[], isDangerous: (target: Target) => boolean): readonly Target[] {
  const rank = (target: Target): number =>
    target.class === "SART" ? 0 : isDangerous(target) ? 1 : isClosing(target) && isMoving(target) ? 2 : 3;
  const far = Number.POSITIVE_INFINITY;
  return targets.toSorted((a, b) => {
    const rankA = rank(a);
    const order = rankA - rank(b);
    if (order !== 0) return order;
    const within = rankA === 3 ? (a.range ?? far) - (b.range ?? far) : (a.tcpa ?? far) - (b.tcpa ?? far);
    // If both lack the value (Infinity minus Infinity is NaN), the MMSI decides.
    return within || a.mmsi - b.mmsi;
  });
}

/** Fixed stations also have a closing time, but are sorted by distance. */
const isMoving = ({ class: kind }: Target): boolean => kind !== "AtoN" && kind !== "Base";

/** The time of the position of a station, milliseconds since 1970. */
export const positionSeenAt = ({ positionSeen, lastSeen }: Target): number => Date.parse(positionSeen ?? lastSeen);

/** Whether the position of a station is too old; `boatClock` in milliseconds since 1970. */
export const isLost = (target: Target, boatClock: number): boolean =>
  isLostAfter(target, boatClock - positionSeenAt(target));

/** Ranges of the plot, nautical miles. */
export const ranges = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64] as const;

/** Name of a ship, or else her MMSI. */
export const nameOf = ({ name, mmsi }: Target): string => name ?? String(mmsi);

/** SVG path of the symbol of a station, bow up. */
export function symbol({ class: kind, cog, heading, sog }: Target): string {
  const hasCourse = (heading ?? cog) !== undefined && (kind !== "B" || (sog ?? 0) >= 0);
  switch (kind) {
    case "AtoN":
      return "M0 -8L8 0L0 8L-8 0ZM0 -4V4M-4 0H4";
    case "Base":
      return "M-7 -7H7V7H-7ZM0 -1v2";
    case "SAR":
      return "M0 -12L3 -3L13 2V5L3 3L2 9L5 12H-5L-2 9L-3 3L-13 5V2L-3 -3Z";
    case "SART":
      return "M-8 -8L8 8M8 -8L-8 8M0 -11A11 11 0 1 1 -.1 -11Z";
    default:
      if (!hasCourse) return "M0 -6A6 6 0 1 1 -.1 -6Z";
      return kind === "A" ? "M0 -14L8 10H-8Z" : "M0 -11L6 8L0 4L-6 8Z";
  }
}
