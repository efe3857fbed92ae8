/** Titles of PGNs: from the document, or else the public database, or else the range. */
import { definitions, reportOnly } from "./pgns/index.ts";
import { publicPgns } from "./public-database.ts";

export const proprietaryRanges = [
  { first: 61_184, last: 61_184, transport: "single", title: "Manufacturer Proprietary single-frame addressed" },
  { first: 65_280, last: 65_535, transport: "single", title: "Manufacturer Proprietary single-frame non-addressed" },
  { first: 126_720, last: 126_720, transport: "fast", title: "Manufacturer Proprietary fast-packet addressed" },
  { first: 130_816, last: 131_071, transport: "fast", title: "Manufacturer Proprietary fast-packet non-addressed" },
] as const;

const titles = new Map([...publicPgns, ...reportOnly, ...definitions].map(({ pgn, title }) => [pgn, title]));

const periods = new Map(publicPgns.map(({ pgn, periodMs }) => [pgn, periodMs]));

/**
 * The period in milliseconds at which a stream of a PGN is sent by default; undefined if the public database has none.
 */
export const nominalPeriodOf = (pgn: number): number | undefined => periods.get(pgn);

/** Title of a PGN: the document's, or else the public one, or else "Unknown". */
export const titleOf = (pgn: number): string =>
  titles.get(pgn) ?? proprietaryRanges.find(({ first, last }) => pgn >= first && pgn <= last)?.title ?? "Unknown";
