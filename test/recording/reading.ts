/** Reads recordings in tests: bytes in, plain records out. */
import { expect } from "vitest";
import { packetsOf } from "../../src/bridge/packet-batch.ts";
import type { Format, Reader, ReaderOptions } from "../../src/recording/format.ts";
import { FRAME_BYTES } from "../../src/recording/frame-batch.ts";
import { type RecordingBatch, RecordWriter } from "../../src/recording/record-writer.ts";

export interface Frame {
  readonly wall: number;
  readonly identifier: number;
  readonly data: string;
}

export interface Message {
  readonly wall: number;
  readonly pgn: number;
  readonly priority: number;
  readonly source: number;
  readonly destination: number;
  readonly payload: string;
}

export type Recorded = Frame | Message;

/** Copies the records of a batch, as their stamps in microseconds and their bytes in hexadecimal digits. */
export function recordsOf(batch: RecordingBatch): Recorded[] {
  if (batch.packets) {
    return Array.from(packetsOf(batch.packets), (packet) => ({
      wall: Math.round(packet.received * 1000),
      pgn: packet.pgn,
      priority: packet.priority,
      source: packet.source,
      destination: packet.destination,
      payload: Buffer.from(packet.bytes.subarray(packet.at, packet.end)).toString("hex"),
    }));
  }
  const { bytes, length } = batch.frames!;
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  return Array.from({ length: length / FRAME_BYTES }, (_, index) => {
    const at = index * FRAME_BYTES;
    const size = bytes[at + 20]!;
    expect(bytes.subarray(at + 24 + size, at + FRAME_BYTES).every((byte) => byte === 0)).toBe(true);
    return {
      wall: view.getFloat64(at, true),
      identifier: view.getUint32(at + 16, true),
      data: Buffer.from(bytes.subarray(at + 24, at + 24 + size)).toString("hex"),
    };
  });
}

export interface Reading {
  readonly records: readonly Recorded[];
  readonly malformed: number;
  readonly internal: number;
  readonly unaddressed: number;
  readonly problem: string | undefined;
}

/** When the recordings of tests were written last: 2026-11-21T00:00:00Z. */
export const modified = Date.UTC(2026, 10, 21);

/** Reads a recording from its pieces. */
export function read(format: Format, pieces: readonly Uint8Array[], options: ReaderOptions = { modified }): Reading {
  const reader: Reader = format.createReader(options);
  const writer = new RecordWriter();
  const records: Recorded[] = [];
  for (const [index, piece] of pieces.entries()) {
    reader.read(piece, index === pieces.length - 1, writer);
    for (const batch of writer.drain()) records.push(...recordsOf(batch));
  }
  const { malformed, problem } = reader;
  return { records, malformed, internal: writer.internal, unaddressed: writer.unaddressed, problem };
}

/** Expects the records of a recording, whole and cut in two at every byte, and nothing malformed. */
export function cutEverywhere(format: Format, bytes: Uint8Array, records: readonly Recorded[]): void {
  const expected = { records, malformed: 0, internal: 0, unaddressed: 0, problem: undefined };
  expect(read(format, [bytes])).toEqual(expected);
  for (let cut = 0; cut <= bytes.length; cut++) {
    expect(read(format, [bytes.subarray(0, cut), bytes.subarray(cut)]), `cut at ${cut}`).toEqual(expected);
  }
}

export const text = (characters: string): Uint8Array => new TextEncoder().encode(characters);
