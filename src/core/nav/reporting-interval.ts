/** How often stations of AIS report, and when one that does not is lost. */
import type { AisClass } from "./ais-messages.ts";

interface Station {
  readonly class: AisClass;
  readonly sog?: number | undefined;
  readonly navStatus?: string | undefined;
}

const SECOND_MS = 1000;
const SLOW_MS = 180 * SECOND_MS;
/** Speeds up to which a ship reports as one at rest. */
const AT_REST_KNOTS = { A: 3, B: 2 } as const;
const atRest: ReadonlySet<string | undefined> = new Set(["At anchor", "Moored", "Aground"]);
const LOST_AFTER_INTERVALS = 3;

/** The longest interval of a station in its state (ITU-R M.1371-5, tables 1 and 2). */
function reportingIntervalMs({ class: kind, sog = 0, navStatus }: Station): number {
  switch (kind) {
    case "A":
      // Under way up to every two seconds, but a receiver does not hear each report.
      return sog <= AT_REST_KNOTS.A && atRest.has(navStatus) ? SLOW_MS : 10 * SECOND_MS;
    case "B":
      return sog <= AT_REST_KNOTS.B ? SLOW_MS : 30 * SECOND_MS;
    case "AtoN":
      return SLOW_MS;
    case "SART":
      return 60 * SECOND_MS;
    default:
      return 10 * SECOND_MS;
  }
}

/** Whether a station whose last position is so old has not reported one for three of its intervals. */
export const isLost = (station: Station, ageMs: number): boolean =>
  ageMs > LOST_AFTER_INTERVALS * reportingIntervalMs(station);
