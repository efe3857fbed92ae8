/** The members of messages that distinguish the streams of a PGN and device. Pure. */
import { publishedKeyNames } from "../../../core/n2k/layout.ts";
import { definitions, reportOnly } from "../../../core/n2k/pgns/index.ts";
import { publicKeys } from "../systems/public-systems.ts";

const keysByPgn = new Map<number, readonly string[]>([
  ...[...definitions, ...reportOnly].map((each) => [each.pgn, publishedKeyNames(each)] as const),
  ...publicKeys,
]);

/** The values of the key fields of a message, such as its instance, fluid type or temperature source. */
export const keyOf = (data: { readonly pgn: number; readonly [name: string]: unknown }): string =>
  (keysByPgn.get(data.pgn) ?? []).map((name) => data[name] ?? "").join("/");
