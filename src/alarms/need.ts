/** Whether a boat needs its watch, so that its loss is an alarm by itself. Without zod, which a page does not load. */
import type { AlarmsData } from "./report.ts";

type Watched = { readonly [Member in "watching" | "anchorWatch"]?: AlarmsData[Member] | undefined };

/** hub-cand calls a watch quiet in a boat that lies still, and no other. */
const isBerthed = ({ watching = {} }: Watched): boolean => Object.values(watching).includes("quiet");

/** Under way, and at an anchor that is watched. */
export const needsWatch = (data: Watched): boolean => data.anchorWatch !== undefined || !isBerthed(data);
