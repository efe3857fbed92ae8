/** Records of a live connection: their clock is that of their arrival, not that of their stamps. */
import { FRAME_BYTES } from "./frame-batch.ts";
import { PACKET_HEAD_BYTES, type RecordingBatch } from "./record-writer.ts";

/**
 * Writes the monotonic clock into all records of a batch, and the wall clock unless theirs is to stay; both in microseconds. A wall
 * clock is the first member of a record, the monotonic one the second (`frame-batch.ts`, `bridge/packet-batch.ts`).
 */
export function stampArrival({ frames, packets }: RecordingBatch, monotonic: number, wall: number | undefined): void {
  const { bytes, length } = (frames ?? packets)!;
  const doubles = new Float64Array(bytes.buffer, bytes.byteOffset, length >> 3);
  const halfWords = new Uint16Array(bytes.buffer, bytes.byteOffset, length >> 1);
  for (let at = 0; at < length; ) {
    if (wall !== undefined) doubles[at >> 3] = wall;
    doubles[(at >> 3) + 1] = monotonic;
    at += frames !== undefined ? FRAME_BYTES : (PACKET_HEAD_BYTES + halfWords[(at >> 1) + 10]! + 7) & ~7;
  }
}
