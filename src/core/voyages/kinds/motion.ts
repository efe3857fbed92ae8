/** Where a voyage begins, rests, goes on and ends; the keeper writes these entries itself. */
import type { Kind } from "./kind.ts";

export const begin: Kind = { name: "begin", title: "Voyage begins" };
export const rest: Kind = { name: "rest", title: "At rest" };
export const underway: Kind = { name: "underway", title: "Under way" };

const reasons: Readonly<Record<string, string>> = {
  berth: "at the berth",
  rest: "at rest",
  away: "no data",
  clock: "the clock was set back",
};

export const end: Kind = {
  name: "end",
  title: "Voyage ends",
  words: ({ reason = "" }) => [reasons[String(reason)] ?? ""],
};
