/** Frame records (`src/formats/recording/frame-batch.ts`) for tests. */
import { FRAME_BYTES } from "../../../../src/formats/recording/frame-batch.ts";

export interface TestFrame {
  readonly pgn: number;
  readonly data: readonly number[];
  readonly source?: number;
  /** Destination of addressed PGNs. */
  readonly destination?: number;
  readonly priority?: number;
  /** Monotonic clock, milliseconds; the wall clock is 1.7e12 ms ahead of it. */
  readonly at?: number;
  /** Flags of the identifier: default 2^31, a 29-bit frame. */
  readonly flags?: number;
}

/** The records of `frames`; the bytes after the data are 0xee and must never be read. */
export function frameRecords(frames: readonly TestFrame[]): Uint8Array {
  const bytes = new Uint8Array(frames.length * FRAME_BYTES);
  const view = new DataView(bytes.buffer);
  frames.forEach(({ pgn, data, source = 1, destination = 255, priority = 6, at = 0, flags = 2 ** 31 }, index) => {
    const offset = index * FRAME_BYTES;
    const addressed = ((pgn >> 8) & 0xff) < 240;
    view.setFloat64(offset, 1.7e15 + at * 1000, true);
    view.setFloat64(offset + 8, at * 1000, true);
    view.setUint32(
      offset + 16,
      flags + priority * 2 ** 26 + (addressed ? pgn + destination : pgn) * 256 + source,
      true,
    );
    view.setUint8(offset + 20, data.length);
    bytes.fill(0xee, offset + 24, offset + FRAME_BYTES).set(data, offset + 24);
  });
  return bytes;
}

/** The data of the frames of a fast packet, the last one filled up with 0xff. */
export function fastFrames(payload: readonly number[], sequence: number): number[][] {
  const frames = [[sequence << 5, payload.length, ...payload.slice(0, 6)]];
  for (let at = 6; at < payload.length; at += 7)
    frames.push([(sequence << 5) | frames.length, ...payload.slice(at, at + 7)]);
  return frames.map((frame) => [...frame, ...Array<number>(8 - frame.length).fill(0xff)]);
}

/** `length` numbers from `first` on, as bytes. */
export const counting = (length: number, first = 0): number[] => Array.from({ length }, (_, at) => (first + at) & 0xff);
