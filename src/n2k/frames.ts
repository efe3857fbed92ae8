/**
 * A payload as the frames that carry it: one frame, a fast packet, or the announcement and the
 * packets of ISO 11783-3. The addon puts them together again; this is for those who send, and for tests.
 */
import { type CanIdParts, EVERYBODY, toCanId } from "./can-id.ts";

export interface CanFrame {
  /** 29 bits, without the flags of linux/can.h. */
  readonly id: number;
  /** 0 to 8 bytes. */
  readonly data: Uint8Array;
}

/** The longest payload of each transport, in bytes. */
export const LONGEST = { single: 8, fast: 223, isoTp: 1785 } as const;

const TRANSPORT_MANAGEMENT = 60416;
const TRANSPORT_DATA = 60160;
const ANNOUNCE_TO_ALL = 32;
const TRANSPORT_PRIORITY = 7;

const requireLength = (payload: Uint8Array, shortest: number, longest: number): void => {
  if (payload.length < shortest || payload.length > longest) {
    throw new RangeError(`${payload.length} bytes are not ${shortest} to ${longest}`);
  }
};

/** Bytes from `at` on behind `head`, filled up to eight with ones. */
function frameData(head: readonly number[], payload: Uint8Array, at: number): Uint8Array {
  const data = new Uint8Array(8).fill(0xff);
  data.set(head);
  data.set(payload.subarray(at, at + 8 - head.length), head.length);
  return data;
}

/** A message of at most eight bytes; throws a RangeError for a longer one. */
export function singleFrame(header: CanIdParts, payload: Uint8Array): CanFrame {
  requireLength(payload, 0, LONGEST.single);
  return { id: toCanId(header), data: payload.slice() };
}

/**
 * The frames of a fast packet of 1 to 223 bytes; throws a RangeError for another length. `sequence` is the sender's counter
 * for this PGN, of which three bits go out: it tells one packet from the next.
 *
 *     sequence << 5 | 0, length, 6 bytes;  sequence << 5 | 1, 7 bytes;  …  the last filled up with ones
 */
export function fastPacketFrames(header: CanIdParts, payload: Uint8Array, sequence: number): readonly CanFrame[] {
  requireLength(payload, 1, LONGEST.fast);
  const id = toCanId(header);
  const counter = (sequence & 7) << 5;
  const frames: CanFrame[] = [{ id, data: frameData([counter, payload.length], payload, 0) }];
  for (let at = 6; at < payload.length; at += 7) {
    frames.push({ id, data: frameData([counter | frames.length], payload, at) });
  }
  return frames;
}

/**
 * A message of 9 to 1785 bytes to everybody by ISO 11783-3: announcement (BAM), then packets of seven bytes, which the
 * sender keeps 50 to 200 ms apart; throws a RangeError for another length.
 */
export function broadcastFrames({ source, pgn }: CanIdParts, payload: Uint8Array): readonly CanFrame[] {
  requireLength(payload, 9, LONGEST.isoTp);
  const header = { priority: TRANSPORT_PRIORITY, source, destination: EVERYBODY };
  const packets = Math.ceil(payload.length / 7);
  const { length } = payload;
  const announcement = [
    ANNOUNCE_TO_ALL,
    length & 0xff,
    length >> 8,
    packets,
    0xff,
    pgn & 0xff,
    (pgn >> 8) & 0xff,
    pgn >> 16,
  ];
  const frames: CanFrame[] = [
    { id: toCanId({ ...header, pgn: TRANSPORT_MANAGEMENT }), data: Uint8Array.from(announcement) },
  ];
  const id = toCanId({ ...header, pgn: TRANSPORT_DATA });
  for (let at = 0; at < length; at += 7) frames.push({ id, data: frameData([frames.length], payload, at) });
  return frames;
}
