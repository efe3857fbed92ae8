/** Entries that the crew writes. */
import type { Kind } from "./kind.ts";

export const note: Kind = { name: "note", title: "Note", isByHand: true };
export const watchChange: Kind = { name: "watch", title: "Watch", isByHand: true };
/** Its text has the names of those on board from then on; the first one of a voyage counts from its begin. */
export const crew: Kind = { name: "crew", title: "Crew", isByHand: true };
