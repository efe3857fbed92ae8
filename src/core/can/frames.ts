/**
 * A payload split into frames, for senders: a single frame, a fast packet, a broadcast by ISO transport. The addon
 * reassembles.
 */
import { type CanIdParts, GLOBAL_ADDRESS, toCanId } from "./can-id.ts";

export interface CanFrame {
  /** 29 bits, without the flags of linux/can.h. */
  readonly id: number;
  /** 0 to 8 bytes. */
  readonly data: Uint8Array;
}

const LONGEST_SINGLE_FRAME = 8;
const LONGEST_FAST_PACKET = 223;
const LONGEST_BROADCAST = 1785;
/** ISO 11783-3: TP.CM, TP.DT, and the control byte of an announcement to all. */
const CONNECTION_MANAGEMENT = 60416;
const DATA_TRANSFER = 60160;
const ANNOUNCEMENT = 32;

const requireLength = (payload: Uint8Array, shortest: number, longest: number): void => {
  if (payload.length < shortest || payload.length > longest) {
    throw new RangeError(`${payload.length} bytes are not ${shortest} to ${longest}`);
  }
};

/** `head`, then bytes of the payload from `at` on; filled up to eight bytes with ones. */
function frameData(head: readonly number[], payload: Uint8Array, at: number): Uint8Array {
  const data = new Uint8Array(8).fill(0xff);
  data.set(head);
  data.set(payload.subarray(at, at + 8 - head.length), head.length);
  return data;
}

/**
 * A message of at most eight bytes; throws a RangeError for a longer one.
 *
 * @example singleFrame({ priority: 2, pgn: 127250, source: 7, destination: GLOBAL_ADDRESS }, payload)
 */
export function singleFrame(header: CanIdParts, payload: Uint8Array): CanFrame {
  requireLength(payload, 0, LONGEST_SINGLE_FRAME);
  return { id: toCanId(header), data: payload.slice() };
}

/**
 * The frames of a fast packet of 1 to 223 bytes; throws a RangeError for another length. `sequence` is the sender's
 * counter for this PGN, whose three lowest bits tell one packet from the next.
 *
 *     sequence << 5 | 0, length, 6 bytes;  sequence << 5 | 1, 7 bytes;  …  the last filled up with ones
 */
export function fastPacketFrames(header: CanIdParts, payload: Uint8Array, sequence: number): readonly CanFrame[] {
  requireLength(payload, 1, LONGEST_FAST_PACKET);
  const id = toCanId(header);
  const counter = (sequence & 7) << 5;
  const frames: CanFrame[] = [{ id, data: frameData([counter, payload.length], payload, 0) }];
  for (let at = 6; at < payload.length; at += 7) {
    frames.push({ id, data: frameData([counter | frames.length], payload, at) });
  }
  return frames;
}

/**
 * The frames of a message of 9 to 1785 bytes to all devices by the transport protocol of ISO 11783-3, whose own
 * priority is 7; throws a RangeError for another length.
 *
 *     32, length(2), packets, 255, pgn(3);  1, 7 bytes;  2, 7 bytes;  …  the last filled up with ones
 */
export function broadcastFrames(
  { source, pgn }: Pick<CanIdParts, "source" | "pgn">,
  payload: Uint8Array,
): readonly CanFrame[] {
  requireLength(payload, LONGEST_SINGLE_FRAME + 1, LONGEST_BROADCAST);
  const idOf = (number: number): number => toCanId({ priority: 7, source, pgn: number, destination: GLOBAL_ADDRESS });
  const { length } = payload;
  const head = [ANNOUNCEMENT, length & 0xff, length >> 8, Math.ceil(length / 7), 0xff];
  const announcement = Uint8Array.of(...head, pgn & 0xff, (pgn >> 8) & 0xff, pgn >> 16);
  const frames: CanFrame[] = [{ id: idOf(CONNECTION_MANAGEMENT), data: announcement }];
  for (let at = 0; at < length; at += 7) {
    frames.push({ id: idOf(DATA_TRANSFER), data: frameData([frames.length], payload, at) });
  }
  return frames;
}
