/**
 * Topic filters of each page. Pure. The filters of a page do not overlap, because a broker may send a message once for
 * each matching filter.
 */

import { systemPgns } from "./system-messages.ts";

export const pages = ["sail", "ships", "systems", "devices", "bus", "messages", "settings"] as const;
export type Page = (typeof pages)[number];

/** All pages need the navigation report for the histories, and the identities of publishers for the page head. */
export function filtersOf(page: Page, prefix: string): readonly string[] {
  const always = [`${prefix}/navigation`, "app/+/info"];
  switch (page) {
    case "sail":
      return always;
    case "ships":
      return [...always, `${prefix}/ais`];
    case "systems":
      return [...always, ...systemPgns.map((pgn) => `${prefix}/device/+/pgn/${pgn}`), `${prefix}/device/+/infos`];
    case "devices":
      return [...always, `${prefix}/devices`, `${prefix}/device/+/infos`];
    case "bus":
      return [...always, `${prefix}/interface`, `${prefix}/health`];
    case "messages":
      return [`${prefix}/#`, "app/+/info"];
    case "settings":
      return [...always, ...INTERFACES];
  }
}

/** The interfaces of all prefixes of two levels, the usual form. */
export const INTERFACES = ["+/+/interface"] as const;

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
