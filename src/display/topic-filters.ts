/**
 * Which topics each page listens to. Pure. A page hears what it shows and nothing else, and no two filters of a page meet
 * in one topic, because a broker may then send a message twice.
 */

export const pages = ["sail", "ships", "systems", "devices", "bus", "messages", "settings"] as const;
export type Page = (typeof pages)[number];

/** PGNs that the page of engines, tanks and batteries shows. */
export const systemPgns = [
  127488, 127489, 127493, 127501, 127503, 127504, 127505, 127506, 127507, 127508, 127509, 127513, 130312, 130316,
] as const;

/** The report is always heard, for the histories; who publishes too, for what the head of each page says. */
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

/** Every bus that anybody publishes under a prefix of two levels, as is usual. */
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
