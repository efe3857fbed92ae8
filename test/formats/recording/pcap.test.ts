import { expect, test } from "vitest";
import { pcap } from "../../../src/formats/recording/formats/pcap.ts";
import { pieces } from "./arbitrary.ts";
import { expectReading, type Frame, read } from "./reading.ts";

interface Variant {
  readonly littleEndian: boolean;
  readonly nanoseconds: boolean;
}

const variants: readonly Variant[] = [true, false].flatMap((littleEndian) =>
  [true, false].map((nanoseconds) => ({ littleEndian, nanoseconds })),
);

function fileHead({ littleEndian, nanoseconds }: Variant, linkType = 227): Uint8Array {
  const view = new DataView(new ArrayBuffer(24));
  view.setUint32(0, nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4, littleEndian);
  view.setUint16(4, 2, littleEndian);
  view.setUint16(6, 4, littleEndian);
  view.setUint32(16, 262144, littleEndian);
  view.setUint32(20, linkType, littleEndian);
  return new Uint8Array(view.buffer);
}

/** A record of a frame whose length byte may lie, with some bytes behind the data. */
function record(
  { littleEndian, nanoseconds }: Variant,
  frame: Frame,
  more = 0,
  length = frame.data.length / 2,
): Uint8Array {
  const size = 8 + frame.data.length / 2 + more;
  const view = new DataView(new ArrayBuffer(16 + size));
  view.setUint32(0, Math.floor(frame.wall / 1e6), littleEndian);
  view.setUint32(4, (frame.wall % 1e6) * (nanoseconds ? 1000 : 1), littleEndian);
  view.setUint32(8, size, littleEndian);
  view.setUint32(12, size, littleEndian);
  view.setUint32(16, frame.identifier);
  view.setUint8(20, length);
  const bytes = new Uint8Array(view.buffer);
  bytes.set(Buffer.from(frame.data, "hex"), 24);
  return bytes;
}

const frames: readonly Frame[] = [
  { wall: 1669809749869188, identifier: 0x8df80514, data: "c40000000010fc0c" },
  { wall: 1669809749870174, identifier: 0x123, data: "01" },
  { wall: 1669809749870425, identifier: 0xc9f80514, data: "" },
];

test.each(variants)("pcap reads captures, cut at every byte: %o", (variant) => {
  const bytes = Buffer.concat([fileHead(variant), ...frames.map((frame) => record(variant, frame))]);
  expectReading(pcap, bytes, { records: frames });
});

test.each(variants)("pcap skips what is captured behind a frame, even much: %o", (variant) => {
  const records = frames.map((frame, index) => record(variant, frame, index * 100_000));
  expect(read(pcap, pieces(Buffer.concat([fileHead(variant), ...records]), [70_000, 130_000, 130_001]))).toEqual({
    records: frames,
    malformed: 0,
    internal: 0,
    unaddressed: 0,
    problem: undefined,
  });
});

const variant = variants[1]!;

test("pcap counts and skips records that are no classic frame", () => {
  const fd = { wall: 1669809749869188, identifier: 0x8df80514, data: "00".repeat(64) };
  const cut = record(variant, frames[0]!, 0, 8).slice(0, 16 + 5);
  new DataView(cut.buffer).setUint32(8, 5, variant.littleEndian);
  const records = [record(variant, fd), cut, record(variant, frames[0]!), record(variant, frames[1]!, 0, 7)];
  const bytes = Buffer.concat([fileHead(variant), ...records, record(variant, frames[1]!)]);
  expectReading(pcap, bytes, { records: [frames[0]!, frames[1]!], malformed: 3 });
});

test("pcap gives the whole records of a capture that breaks off, and says so", () => {
  const bytes = Buffer.concat([fileHead(variant), ...frames.map((frame) => record(variant, frame))]);
  for (let length = 24 + 32 + 1; length < 24 + 32 + 25; length++) {
    const expected = { records: frames.slice(0, 1), malformed: 0, problem: "ends within a record" };
    expect(read(pcap, [bytes.subarray(0, length)]), `${length} bytes`).toMatchObject(expected);
  }
});

test("pcap stops at a record of impossible length", () => {
  const damaged = record(variant, frames[1]!);
  new DataView(damaged.buffer).setUint32(8, 0xffffffff);
  const bytes = Buffer.concat([fileHead(variant), record(variant, frames[0]!), damaged, record(variant, frames[1]!)]);
  expectReading(pcap, bytes, { records: frames.slice(0, 1), problem: "is damaged: a record claims 4294967295 bytes" });
});

test("pcap refuses captures of something else", () => {
  const bytes = Buffer.concat([fileHead(variant, 1), record(variant, frames[0]!)]);
  expectReading(pcap, bytes, { problem: "is a capture of link type 1, not of SocketCAN (227)" });
});
