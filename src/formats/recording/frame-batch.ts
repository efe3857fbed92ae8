/**
 * Frames to be reassembled: records of 32 bytes in host byte order, written by `record-writer.ts`, read by
 * `native/frame_record.h`.
 *
 *      0  f64    wall clock of the frame, microseconds since 1970
 *      8  f64    monotonic clock of the frame, microseconds
 *     16  u32    identifier as in linux/can.h: bits 0-28 id, bit 29 error, bit 30 remote, bit 31 extended (29 bits)
 *     20  u8     data length 0..8
 *     21  u8[3]  zero
 *     24  u8[8]  data
 */

export const FRAME_BYTES = 32;

export const LARGEST_IDENTIFIER = 0x1fffffff;
/** Bits of the identifier above the 29 of the id, as in linux/can.h. */
export const ERROR_FRAME = 0x20000000;
export const REMOTE_FRAME = 0x40000000;
export const EXTENDED_FRAME = 0x80000000;

/** Up to 2048 frames, one record after the other. Valid until the next batch is requested. */
export interface FrameBatch {
  /** Aligned to 8 bytes in its buffer, for views of words and doubles. */
  readonly bytes: Uint8Array;
  /** Bytes in use, a multiple of `FRAME_BYTES`; the rest of `bytes` is not part of the batch. */
  readonly length: number;
}
