/**
 * The 29-bit identifier of a frame (SAE J1939-21, ISO 11783-3):
 *
 *     28   26 25 24 23        16 15         8 7         0
 *     +------+-----+------------+------------+-----------+
 *     | prio | page|     PF     |     PS     |  source   |
 *     +------+-----+------------+------------+-----------+
 *
 * With PF below 240 the frame is addressed to PS, and the PGN has zero there; else PS is part of the PGN.
 */

/** Source of a node that could not claim an address; sources from here on are not devices. */
export const NULL_ADDRESS = 254;

/** The parts of an identifier; `destination` is 255 for a message to all. */
export interface CanIdParts {
  /** 0 (most urgent) to 7. */
  readonly priority: number;
  readonly pgn: number;
  readonly source: number;
  readonly destination: number;
}

/** The global address: a message to all devices. */
export const GLOBAL_ADDRESS = 255;

/** True if frames of this PGN have a destination address. */
export const isAddressed = (pgn: number): boolean => ((pgn >> 8) & 0xff) < 240;

/**
 * The identifier of a frame; the destination is ignored unless the PGN is addressed.
 *
 * @example toCanId({ priority: 2, pgn: 127250, source: 7, destination: 255 }) // 0x09f11207
 */
export const toCanId = ({ priority, pgn, source, destination }: CanIdParts): number =>
  ((priority & 7) << 26) |
  ((pgn & 0x3ff00) << 8) |
  ((isAddressed(pgn) ? destination & 0xff : pgn & 0xff) << 8) |
  (source & 0xff);

/** The parts of the low 29 bits of an identifier. */
export function fromCanId(id: number): CanIdParts {
  const pgn = (id >>> 8) & 0x3ffff;
  const addressed = isAddressed(pgn);
  return {
    priority: (id >>> 26) & 7,
    pgn: addressed ? pgn & 0x3ff00 : pgn,
    source: id & 0xff,
    destination: addressed ? pgn & 0xff : GLOBAL_ADDRESS,
  };
}
