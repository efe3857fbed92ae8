/**
 * The fast-packet table: which PGNs the addon's reassembly collects from several frames.
 *
 * Nothing in a frame says whether it is a whole message or a part of one; a PGN that is not in the table is a single
 * frame.
 */

export interface FastPacket {
  readonly pgn: number;
  /**
   * Expected length in bytes, 1 to 223, of a PGN that other devices send as a single frame. A frame then begins a
   * packet only if it announces exactly this length, and a frame that neither begins nor continues one is a message of
   * its own.
   */
  readonly length?: number;
}

/**
 * The table as the addon reads it: pairs of PGN and expected length, 0 for any length.
 *
 * @example fastPacketTable([{ pgn: 129029 }, { pgn: 127747, length: 15 }]) // Uint32Array [129029, 0, 127747, 15]
 */
export const fastPacketTable = (packets: readonly FastPacket[]): Uint32Array =>
  Uint32Array.from(packets.flatMap(({ pgn, length }) => [pgn, length ?? 0]));
