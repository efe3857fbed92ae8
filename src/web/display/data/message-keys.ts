/** The roles of members of messages: keys of the streams of a PGN and device, or counters. Pure. */
import { namesWhere, publishedKeyNames } from "../../../core/n2k/layout.ts";
import { definitions, reportOnly } from "../../../core/n2k/pgns/index.ts";
import { publicKeys } from "../systems/public-systems.ts";

const known = [...definitions, ...reportOnly];

const keysByPgn = new Map<number, readonly string[]>([
  ...known.map((each) => [each.pgn, publishedKeyNames(each)] as const),
  ...publicKeys,
]);

/** The values of the key fields of a message, such as its instance, fluid type or temperature source. */
export const keyOf = (data: { readonly pgn: number; readonly [name: string]: unknown }): string =>
  (keysByPgn.get(data.pgn) ?? []).map((name) => data[name] ?? "").join("/");

const counters = new Map(known.map((each) => [each.pgn, new Set(namesWhere(each, ({ counter }) => counter))]));

/** Whether a member of a message is its PGN or counts messages. */
export const isCounter = (pgn: number, name: string): boolean =>
  name === "pgn" || counters.get(pgn)?.has(name) === true;
