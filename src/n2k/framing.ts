/**
 * How the frames of a PGN belong together, as the reassembly of the addon needs to be told it.
 *
 * Nothing in a frame says whether it is whole or a part; a PGN that nobody has settled is a single frame.
 */

export interface Framing {
  readonly pgn: number;
  readonly fast: boolean;
  /**
   * Of a fast packet whose PGN others use for single frames: its length in bytes, 1..223. A frame then begins a packet
   * only if it announces exactly this length, and a frame that neither begins nor continues one is whole in itself.
   */
  readonly length?: number;
}

/**
 * The fast packets of `list` as the addon reads them: pairs of PGN and length, 0 for any length.
 *
 * @example packFraming([{ pgn: 129029, fast: true }]) // Uint32Array [129029, 0]
 */
export function packFraming(list: Iterable<Framing>): Uint32Array {
  return Uint32Array.from([...list].filter(({ fast }) => fast).flatMap(({ pgn, length }) => [pgn, length ?? 0]));
}
