/** The public PGNs as the daemon has them, and what the database says of each. */

import { publicPgnTable } from "../../../scripts/public-pgns.mjs";
import { type PublicVariant, publicPgns } from "../../../src/core/n2k/public-pgns.ts";
import { type CanboatPgn, canboatPgns } from "./canboat.ts";

export const table: string = await publicPgnTable();

export const shared = publicPgns(table);

export interface Layout {
  readonly pgn: number;
  readonly variant: PublicVariant;
  /** The PGN in the database; undefined for facts about a message that it does not have. */
  readonly other: CanboatPgn | undefined;
}

/** Every layout, in the order in which those of a PGN are tried. */
export const layouts: readonly Layout[] = shared.pgns.flatMap((pgn) => {
  const others = canboatPgns(pgn);
  return shared.variants(pgn).map((variant, index) => ({ pgn, variant, other: others[index] }));
});

export const titleOf = ({ pgn, variant, other }: Layout): string =>
  `${pgn} ${other?.Id ?? `beyond: ${variant.definition.title}`}`;
