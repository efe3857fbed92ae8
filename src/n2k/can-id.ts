/**
 * The 29-bit identifier of a frame, taken apart and put together (SAE J1939-21, ISO 11783-3):
 *
 *     28   26 25 24 23        16 15         8 7         0
 *     +------+-----+------------+------------+-----------+
 *     | prio | page|     PF     |     PS     |  source   |
 *     +------+-----+------------+------------+-----------+
 *
 * With PF below 240 the frame goes to one address, which is PS, and the PGN has zero there; else PS belongs to the PGN.
 */

/** What an identifier says. `destination` is 255 where all are meant. */
export interface CanIdParts {
  /** 0, the most urgent, to 7. */
  readonly priority: number;
  readonly pgn: number;
  readonly source: number;
  readonly destination: number;
}

/** The address that means everybody. */
export const EVERYBODY = 255;

/** Whether frames of this PGN name the address they go to. */
export const isAddressed = (pgn: number): boolean => ((pgn >> 8) & 0xff) < 240;

/** The identifier of a frame; its destination counts only where the PGN is an addressed one. */
export const toCanId = ({ priority, pgn, source, destination }: CanIdParts): number =>
  ((priority & 7) << 26) |
  ((pgn & 0x3ff00) << 8) |
  ((isAddressed(pgn) ? destination & 0xff : pgn & 0xff) << 8) |
  (source & 0xff);

/** What the low 29 bits of an identifier say. */
export function fromCanId(id: number): CanIdParts {
  const pgn = (id >>> 8) & 0x3ffff;
  const addressed = isAddressed(pgn);
  return {
    priority: (id >>> 26) & 7,
    pgn: addressed ? pgn & 0x3ff00 : pgn,
    source: id & 0xff,
    destination: addressed ? pgn & 0xff : EVERYBODY,
  };
}
