/**
 * Frames of a recording on their way to reassembly: records of 32 bytes in host order, written here, read by
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
