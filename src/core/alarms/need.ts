/**
 * Whether a boat needs its watch, so that the loss of the watch is an alarm. Free of zod, which a page does not load.
 */
import type { AlarmsData } from "./report.ts";

type Watched = { readonly [Member in "watching" | "anchorWatch"]?: AlarmsData[Member] | undefined };

/** hub-cand calls a watch quiet only in a boat that lies still. */
const isBerthed = ({ watching = {} }: Watched): boolean => Object.values(watching).includes("quiet");

/** True under way, and at an anchor that is watched. */
export const needsWatch = (data: Watched): boolean => data.anchorWatch !== undefined || !isBerthed(data);
