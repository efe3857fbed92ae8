import { expect, test } from "vitest";
import { pcapng } from "../../../src/formats/recording/formats/pcapng.ts";
import { pieces } from "./arbitrary.ts";
import { expectReading, type Frame, read } from "./reading.ts";

/** A block with its two lengths; the body is filled up to a multiple of 4. */
function block(littleEndian: boolean, type: number, body: Uint8Array): Uint8Array {
  const length = 12 + ((body.length + 3) & ~3);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, type, littleEndian);
  view.setUint32(4, length, littleEndian);
  bytes.set(body, 8);
  view.setUint32(length - 4, length, littleEndian);
  return bytes;
}

function words(littleEndian: boolean, ...values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  for (const [index, value] of values.entries()) view.setUint32(index * 4, value, littleEndian);
  return new Uint8Array(view.buffer);
}

const section = (littleEndian: boolean): Uint8Array =>
  block(littleEndian, 0x0a0d0d0a, words(littleEndian, 0x1a2b3c4d, 1, 0xffffffff, 0xffffffff));

/** An interface; options are code and value. */
function networkInterface(
  littleEndian: boolean,
  linkType: number,
  options: readonly [number, Uint8Array][] = [],
): Uint8Array {
  const head = new Uint8Array(8);
  new DataView(head.buffer).setUint16(0, linkType, littleEndian);
  const parts = options.map(([code, value]) => {
    const option = new Uint8Array(4 + ((value.length + 3) & ~3));
    const view = new DataView(option.buffer);
    view.setUint16(0, code, littleEndian);
    view.setUint16(2, value.length, littleEndian);
    option.set(value, 4);
    return option;
  });
  return block(littleEndian, 1, Buffer.concat([head, ...parts]));
}

function packet(littleEndian: boolean, of: Frame, ticks: bigint, from = 0, length = of.data.length / 2): Uint8Array {
  const captured = Buffer.concat([
    words(false, of.identifier),
    Uint8Array.from([length, 0, 0, 0]),
    Buffer.from(of.data, "hex"),
  ]);
  const stamp = [Number(ticks >> 32n), Number(ticks & 0xffffffffn)] as const;
  const head = words(littleEndian, from, ...stamp, captured.length, captured.length);
  return block(littleEndian, 6, Buffer.concat([head, captured, new Uint8Array(-captured.length & 3)]));
}

const frames: readonly Frame[] = [
  { wall: 1669809749869188, identifier: 0x8df80514, data: "c40000000010fc0c" },
  { wall: 1669809749870174, identifier: 0x123, data: "01" },
];
const nanoseconds: [number, Uint8Array] = [9, Uint8Array.from([9])];
const name: [number, Uint8Array] = [2, Buffer.from("can0!")];

test.each([true, false])("pcapng reads captures, cut at every byte; little endian: %s", (little) => {
  const bytes = Buffer.concat([
    section(little),
    networkInterface(little, 227, [name]),
    networkInterface(little, 227, [name, nanoseconds]),
    block(little, 5, new Uint8Array(13)),
    packet(little, frames[0]!, BigInt(frames[0]!.wall)),
    packet(little, frames[1]!, BigInt(frames[1]!.wall) * 1000n + 999n, 1),
  ]);
  expectReading(pcapng, bytes, { records: frames });
});

test("pcapng reads resolutions of powers of two and an offset of stamps", () => {
  const offset = new Uint8Array(8);
  new DataView(offset.buffer).setBigInt64(0, 1_000_000_000n, true);
  const bytes = Buffer.concat([
    section(true),
    networkInterface(true, 227, [
      [9, Uint8Array.from([0x80 | 10])],
      [14, offset],
    ]),
    packet(true, frames[1]!, 1536n),
  ]);
  expect(read(pcapng, [bytes]).records).toEqual([{ ...frames[1], wall: 1_000_000_001_500_000 }]);
});

test("pcapng begins anew with a section of the other byte order", () => {
  const bytes = Buffer.concat(
    [true, false].flatMap((little) => [
      section(little),
      networkInterface(little, 227),
      packet(little, frames[0]!, BigInt(frames[0]!.wall)),
    ]),
  );
  expectReading(pcapng, bytes, { records: [frames[0]!, frames[0]!] });
});

test("pcapng skips what is longer than it keeps", () => {
  const bytes = Buffer.concat([
    section(true),
    networkInterface(true, 227, [[1, new Uint8Array(10_000)]]),
    block(true, 0xbad, new Uint8Array(100_000)),
    packet(true, frames[0]!, BigInt(frames[0]!.wall)),
  ]);
  expect(read(pcapng, pieces(bytes, [5000, 50_000]))).toMatchObject({ records: [frames[0]], problem: undefined });
});

test("pcapng skips other interfaces and counts packets that are no classic frame", () => {
  const fd = { wall: 0, identifier: 0x123, data: "00".repeat(64) };
  const bytes = Buffer.concat([
    section(true),
    networkInterface(true, 1),
    networkInterface(true, 227),
    packet(true, frames[0]!, 0n, 0),
    packet(true, frames[1]!, 5n, 1),
    packet(true, frames[1]!, 5n, 2),
    packet(true, fd, 5n, 1),
    packet(true, frames[1]!, 5n, 1, 2),
    block(true, 6, new Uint8Array(8)),
  ]);
  expectReading(pcapng, bytes, { records: [{ ...frames[1]!, wall: 5 }], malformed: 4 });
});

test("pcapng counts packets whose stamp is no date as malformed", () => {
  const [good] = frames;
  const at = (seconds: bigint): [number, Uint8Array] => {
    const value = new Uint8Array(8);
    new DataView(value.buffer).setBigInt64(0, seconds, true);
    return [14, value];
  };
  for (const offset of [2n ** 62n, -(2n ** 62n), 253_402_300_800n, -1n]) {
    const bytes = Buffer.concat([
      section(true),
      networkInterface(true, 227, [at(offset)]),
      networkInterface(true, 227, []),
      packet(true, good!, 5n, 0),
      packet(true, good!, 5n, 1),
      packet(true, good!, 2n ** 64n - 1n, 1),
    ]);
    expectReading(pcapng, bytes, { records: [{ ...good!, wall: 5 }], malformed: 2 });
  }
});

test("pcapng says why it stops", () => {
  const good = [section(true), networkInterface(true, 227), packet(true, frames[0]!, BigInt(frames[0]!.wall))];
  const records = [frames[0]!];
  const torn = Buffer.concat([...good, packet(true, frames[1]!, 5n).subarray(0, 30)]);
  expectReading(pcapng, torn, { records, problem: "ends within a record" });
  const damaged = Buffer.concat([...good, words(true, 6, 0x7fffffff, 0)]);
  expectReading(pcapng, damaged, { records, problem: "is damaged: a record claims 2147483647 bytes" });
  const orderless = Buffer.concat([...good, words(true, 0x0a0d0d0a, 28, 0)]);
  expectReading(pcapng, orderless, { records, problem: "is damaged: a section has no byte order" });
  const foreign = Buffer.concat([section(true), networkInterface(true, 1), packet(true, frames[0]!, 0n)]);
  expectReading(pcapng, foreign, { problem: "is a capture of link type 1, not of SocketCAN (227)" });
});
