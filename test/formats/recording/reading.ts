/** Reads recordings in tests: bytes in, plain records out. */
import { expect } from "vitest";
import type { Format, ReaderOptions } from "../../../src/formats/recording/formats/format.ts";
import { FRAME_BYTES } from "../../../src/formats/recording/frame-batch.ts";
import { type RecordingBatch, RecordWriter } from "../../../src/formats/recording/record-writer.ts";
import { packetsOf } from "../../support/packets.ts";

export interface Frame {
  /** Microseconds since 1970. */
  readonly wall: number;
  readonly identifier: number;
  /** Hexadecimal digits. */
  readonly data: string;
}

export interface Message {
  /** Microseconds since 1970. */
  readonly wall: number;
  readonly pgn: number;
  readonly priority: number;
  readonly source: number;
  readonly destination: number;
  /** Hexadecimal digits. */
  readonly payload: string;
}

export type Recorded = Frame | Message;

/** Copies the records of a batch. */
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
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, length / 4);
  const doubles = new Float64Array(bytes.buffer, bytes.byteOffset, length / 8);
  return Array.from({ length: length / FRAME_BYTES }, (_, index) => {
    const at = index * FRAME_BYTES;
    const size = bytes[at + 20]!;
    const unused = [...bytes.subarray(at + 21, at + 24), ...bytes.subarray(at + 24 + size, at + FRAME_BYTES)];
    if (unused.some((byte) => byte !== 0)) throw new Error("a frame record has something where zeros belong");
    return {
      wall: doubles[at / 8]!,
      identifier: words[at / 4 + 4]!,
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

/** Modification time of the recordings of tests: all times of day are on this date, though clocks be a minute apart. */
export const modified = Date.UTC(2026, 10, 21, 23, 58, 59, 999);

/** Reads a recording from its pieces. */
export function read(format: Format, pieces: readonly Uint8Array[], options: ReaderOptions = { modified }): Reading {
  const reader = format.createReader(options);
  const writer = new RecordWriter();
  const records: Recorded[] = [];
  for (const [index, piece] of pieces.entries()) {
    reader.read(piece, index === pieces.length - 1, writer);
    for (const batch of writer.drain()) records.push(...recordsOf(batch));
  }
  const { malformed, problem } = reader;
  return { records, malformed, internal: writer.internal, unaddressed: writer.unaddressed, problem };
}

/** Expects the same records of a recording whole and cut in two at every byte. */
export function expectReading(format: Format, bytes: Uint8Array, expected: Partial<Reading>): void {
  const whole = { records: [], malformed: 0, internal: 0, unaddressed: 0, problem: undefined, ...expected };
  expect(read(format, [bytes])).toEqual(whole);
  for (let cut = 0; cut <= bytes.length; cut++) {
    expect(read(format, [bytes.subarray(0, cut), bytes.subarray(cut)]), `cut at ${cut}`).toEqual(whole);
  }
}

/** A recording in text. */
export const text = (...lines: readonly string[]): Uint8Array => new TextEncoder().encode(lines.join("\n"));

/**
 * Expects each line, and all of them between two good ones, to be malformed and the good ones to be read. A pair is the
 * good line with another text in place of a part.
 */
export function expectMalformed(format: Format, good: string, changes: readonly (string | readonly string[])[]): void {
  const lines = changes.map((each) => (typeof each === "string" ? each : good.replace(each[0]!, () => each[1]!)));
  expect(lines).not.toContain(good);
  const [once, twice] = [read(format, [text(good)]).records, read(format, [text(good, good)]).records];
  expect(once).toHaveLength(1);
  for (const line of lines) {
    expect(read(format, [text(good, line)]), line).toMatchObject({ records: once, malformed: 1 });
  }
  expectReading(format, text(good, ...lines, good), { records: twice, malformed: lines.length });
}
