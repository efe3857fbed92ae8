/** Entries that the crew writes. */
import type { Kind } from "./kind.ts";

export const note: Kind = { name: "note", title: "Note", isByHand: true };
export const watchChange: Kind = { name: "watch", title: "Watch", isByHand: true };
