/** Records of a live connection get the time of their arrival in place of their stamps. */
import { FRAME_BYTES } from "./frame-batch.ts";
import { PACKET_HEAD_BYTES, type RecordingBatch } from "./record-writer.ts";

/**
 * A computer without a battery for its clock begins in 1970, and stamps may count from its start; microseconds since
 * 1970.
 */
const EARLIEST_DATE = Date.UTC(2000, 0, 1) * 1000;
const LATEST_DATE = Date.UTC(2100, 0, 1) * 1000;

/**
 * Writes both clocks at arrival, microseconds, into all records of a batch; if the records have dates, a valid wall
 * clock stays. The wall clock is the first member of a record, the monotonic one the second (`frame-batch.ts`,
 * `ports/packet-batch.ts`).
 */
export function stampArrival(
  { frames, packets }: RecordingBatch,
  monotonic: number,
  wall: number,
  haveDates: boolean,
): void {
  const { bytes, length } = (frames ?? packets)!;
  const doubles = new Float64Array(bytes.buffer, bytes.byteOffset, length >> 3);
  const halfWords = new Uint16Array(bytes.buffer, bytes.byteOffset, length >> 1);
  for (let at = 0; at < length; ) {
    const own = doubles[at >> 3]!;
    if (!haveDates || !(own >= EARLIEST_DATE && own < LATEST_DATE)) doubles[at >> 3] = wall;
    doubles[(at >> 3) + 1] = monotonic;
    at += frames !== undefined ? FRAME_BYTES : (PACKET_HEAD_BYTES + halfWords[(at >> 1) + 10]! + 7) & ~7;
  }
}
