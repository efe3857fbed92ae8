/** Titles of the PGNs. */
import { definitions } from "../n2k/pgns/index.ts";

export const titles: ReadonlyMap<number, string> = new Map(definitions.map(({ pgn, title }) => [pgn, title]));
