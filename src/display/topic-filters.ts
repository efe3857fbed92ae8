/**
 * Topic filters of each page. Pure. The filters of a page do not overlap, because a broker may send a message once for
 * each matching filter.
 */

import { boatPgns } from "./boat/pgns.ts";
import { instrumentPgns, systemPgns } from "./system-messages.ts";

/**
 * In the order of the navigation and of the digit keys; `value` is one instrument alone, `#/value/depth`, `trend` a value of
 * a system.
 */
export const pages = [
  "sail",
  "route",
  "mine",
  "ships",
  "systems",
  "devices",
  "bus",
  "messages",
  "alarms",
  "boat",
  "settings",
  "more",
  "value",
  "trend",
] as const;
export type Page = (typeof pages)[number];

/** All pages need the alarms, the report and the instruments for the histories, devices for their names, and publishers for the page head. */
export function filtersOf(page: Page, prefix: string): readonly string[] {
  const always = [
    `${prefix}/navigation`,
    `${prefix}/alarms`,
    `${prefix}/device/+/infos`,
    ...pgnFilters(instrumentPgns, prefix),
    "app/+/info",
  ];
  switch (page) {
    case "ships":
      return [...always, `${prefix}/ais`];
    case "trend":
    case "systems":
      return [...always, ...pgnFilters(systemPgns, prefix)];
    case "devices":
      return [...always, `${prefix}/devices`];
    case "boat": {
      const pgns = boatPgns.filter((pgn) => !instrumentPgns.includes(pgn));
      return [...always, ...pgnFilters(pgns, prefix), `${prefix}/devices`, `${prefix}/health`, `${prefix}/layouts`];
    }
    case "bus":
      return [...always, `${prefix}/interface`, `${prefix}/health`];
    case "messages":
      return [`${prefix}/#`, "app/+/info"];
    case "settings":
      return [...always, ...INTERFACES];
    default:
      return always;
  }
}

const pgnFilters = (pgns: readonly number[], prefix: string): readonly string[] =>
  pgns.map((pgn) => `${prefix}/device/+/pgn/${pgn}`);

/** The interfaces of all prefixes of two levels, the usual form. */
const INTERFACES = ["+/+/interface"] as const;

/** The parts of `{prefix}/device/{addr}/pgn/{pgn}` and of `{prefix}/device/{addr}/infos`. */
export function deviceTopic(
  topic: string,
  prefix: string,
): { readonly address: number; readonly pgn?: number } | undefined {
  if (!topic.startsWith(`${prefix}/device/`)) return undefined;
  const [address, kind, pgn] = topic.slice(prefix.length + 8).split("/");
  if (kind === "infos") return { address: Number(address) };
  return kind === "pgn" ? { address: Number(address), pgn: Number(pgn) } : undefined;
}
