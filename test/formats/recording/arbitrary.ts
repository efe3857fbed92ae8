/** Any frame and any message, as property tests of recordings want them. */
import fc from "fast-check";
import { EXTENDED_FRAME } from "../../../src/formats/recording/frame-batch.ts";
import type { Frame, Message } from "./reading.ts";

const hexBytes = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength, maxLength }).map((bytes) => Buffer.from(bytes).toString("hex"));

/** Microseconds since 1970, from 2001 on, so that the seconds have ten digits. */
const wall = fc.integer({ min: 1_000_000_000_000_000, max: 4_000_000_000_000_000 });

/** Data frames of 29 bits. */
export const frame: fc.Arbitrary<Frame> = fc.record({
  wall,
  identifier: fc.integer({ min: 0, max: 0x1fffffff }).map((id) => (id | EXTENDED_FRAME) >>> 0),
  data: hexBytes(0, 8),
});

/** Messages with a real PGN, from an address that a device can have; addressed ones have a PGN that ends in 00. */
export const message: fc.Arbitrary<Message> = fc
  .record({
    wall,
    pgn: fc.integer({ min: 0, max: 0x3ffff }),
    priority: fc.integer({ min: 0, max: 7 }),
    source: fc.integer({ min: 0, max: 253 }),
    destination: fc.integer({ min: 0, max: 255 }),
    payload: fc.oneof(hexBytes(1, 8), hexBytes(9, 223), hexBytes(224, 1785)),
  })
  .map((any) => (((any.pgn >> 8) & 0xff) < 240 ? { ...any, pgn: any.pgn & 0x3ff00 } : { ...any, destination: 255 }));

/** Cuts bytes at any places. */
export function pieces(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return places.slice(1).map((place, index) => bytes.subarray(places[index], place));
}
