/** A message to all devices by the transport protocol of ISO 11783-3: an announcement (BAM), then packets of seven bytes. */
import { EVERYBODY, toCanId } from "../../src/n2k/can-id.ts";
import type { CanFrame } from "../../src/n2k/frames.ts";

const CONNECTION_MANAGEMENT = 60416;
const DATA_TRANSFER = 60160;
const ANNOUNCE_TO_ALL = 32;

/** Its frames; the payload has 9 to 1785 bytes, the last frame is filled up with ones. */
export function broadcastFrames(
  { source, pgn }: { readonly source: number; readonly pgn: number },
  payload: Uint8Array,
): readonly CanFrame[] {
  const { length } = payload;
  const idOf = (protocol: number): number => toCanId({ priority: 7, source, destination: EVERYBODY, pgn: protocol });
  const count = Math.ceil(length / 7);
  const size = [length & 0xff, length >> 8, count, 0xff];
  const announcement = Uint8Array.of(ANNOUNCE_TO_ALL, ...size, pgn & 0xff, (pgn >> 8) & 0xff, pgn >> 16);
  const packets = Array.from({ length: count }, (_, index): CanFrame => {
    const data = new Uint8Array(8).fill(0xff);
    data[0] = index + 1;
    data.set(payload.subarray(7 * index, 7 * index + 7), 1);
    return { id: idOf(DATA_TRANSFER), data };
  });
  return [{ id: idOf(CONNECTION_MANAGEMENT), data: announcement }, ...packets];
}
