/** canboatjs, which reads payloads by the public database. */
import { FromPgn } from "@canboat/canboatjs";

/** A parser that gives nothing where it fails, as it does on bit fields behind the end of a short payload. */
export function canboatParser(): FromPgn {
  const parser = new FromPgn({ useCamel: true });
  parser.on("error", () => {});
  return parser;
}

const parser = canboatParser();

/** Its reading of a whole payload: the layout's name in the database, and the fields; undefined when it fails. */
export function canboatMessage(
  pgn: number,
  source: number,
  payload: Uint8Array,
): { readonly id: string; readonly fields: Readonly<Record<string, unknown>> } | undefined {
  const header = { pgn, src: source, dst: 255, prio: 6, timestamp: "2026-11-21T08:14:26.123Z" };
  const result = parser.parse({ pgn: header, length: payload.length, data: Buffer.from(payload), coalesced: true });
  return result as unknown as ReturnType<typeof canboatMessage>;
}
