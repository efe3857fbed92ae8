/** Titles of the PGNs: those of the document, or else the public ones. */
import { definitions } from "../../../core/n2k/pgns/index.ts";
import { publicPgns } from "../../../core/n2k/public-database.ts";

export const titles: ReadonlyMap<number, string> = new Map(
  [...publicPgns, ...definitions].map(({ pgn, title }) => [pgn, title]),
);
