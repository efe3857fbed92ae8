/** Frames and bits that messages take on the wire. */

const FAST_FIRST_BYTES = 6;
const FOLLOWING_BYTES = 7;

/**
 * Frames that carry a packet of this transport (`ports/packet-batch.ts`) and length; for ISO TP the announcement and
 * the data.
 */
export function framesOf(transport: number, length: number): number {
  if (transport === 1) return 1 + Math.max(0, Math.ceil((length - FAST_FIRST_BYTES) / FOLLOWING_BYTES));
  return transport === 2 ? 1 + Math.ceil(length / FOLLOWING_BYTES) : 1;
}

/**
 * Bits of an extended data frame besides its data, before stuffing (ISO 11898-1): start 1, identifier 11 + 18, SRR, IDE
 * and RTR 3, reserved 2, length 4, CRC 15 and its delimiter 1, acknowledgement 2, end 7, pause between frames 3.
 */
const OVERHEAD_BITS = 67;
/** Overhead bits from start to CRC, which may be stuffed. */
const STUFFED_OVERHEAD_BITS = 54;

/**
 * Bits on the wire of extended data frames with `bytes` of data in all. The number of stuff bits depends on the data:
 * from none to (54 + 8n - 1) / 4 in a frame of n bytes. Counters do not tell it, so the mean of both is taken, which is
 * wrong by a ninth at most.
 */
export function bitsOnWire(frames: number, bytes: number): number {
  const most = (frames * (STUFFED_OVERHEAD_BITS - 1) + 8 * bytes) / 4;
  return frames * OVERHEAD_BITS + 8 * bytes + most / 2;
}
