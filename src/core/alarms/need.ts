/**
 * Whether a boat needs its watch, so that the loss of the watch is an alarm. Free of zod, which a page does not load.
 */
import type { AlarmsData } from "./report.ts";

/** True everywhere but at a berth that the crew has given. */
export const needsWatch = ({ rest }: Pick<AlarmsData, "rest">): boolean => rest !== "berth";
