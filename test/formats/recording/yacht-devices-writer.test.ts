import fc from "fast-check";
import { expect, test } from "vitest";
import { yachtDevicesRaw } from "../../../src/formats/recording/formats/yacht-devices.ts";
import { rawText } from "../../../src/formats/recording/formats/yacht-devices-writer.ts";
import {
  ERROR_FRAME,
  EXTENDED_FRAME,
  type FrameBatch,
  REMOTE_FRAME,
} from "../../../src/formats/recording/frame-batch.ts";
import { RecordWriter } from "../../../src/formats/recording/record-writer.ts";
import { read } from "./reading.ts";

interface AnyFrame {
  readonly wall: number;
  readonly identifier: number;
  readonly data: readonly number[];
}

function batchOf(frames: readonly AnyFrame[]): FrameBatch {
  const writer = new RecordWriter();
  for (const { wall, identifier, data } of frames)
    writer.frameOf(wall, identifier >>> 0, Uint8Array.from(data), data.length);
  return [...writer.drain()][0]!.frames!;
}

const day = Date.UTC(2026, 10, 21);

test("rawText writes data frames of 29 bits with the time of day of UTC, and leaves out what the format does not know", () => {
  const frames = [
    { wall: (day + 62_966_107) * 1000 + 999, identifier: EXTENDED_FRAME + 0x19f51323, data: [1, 0x2f, 0x30] },
    { wall: day * 1000, identifier: EXTENDED_FRAME + 3, data: [] },
    { wall: day * 1000 - 1, identifier: EXTENDED_FRAME + 0x1fffffff, data: [0, 1, 2, 3, 4, 5, 6, 0xff] },
    { wall: -1, identifier: EXTENDED_FRAME + 3, data: [7] },
    { wall: day * 1000, identifier: 0x44, data: [1] },
    { wall: day * 1000, identifier: EXTENDED_FRAME + REMOTE_FRAME + 0x44, data: [] },
    { wall: day * 1000, identifier: ERROR_FRAME + 4, data: [0, 8, 0, 0, 0, 0, 0, 0] },
  ];
  expect(rawText(batchOf(frames)).split("\r\n")).toEqual([
    "17:29:26.107 R 19F51323 01 2F 30",
    "00:00:00.000 R 00000003",
    "23:59:59.999 R 1FFFFFFF 00 01 02 03 04 05 06 FF",
    "23:59:59.999 R 00000003 07",
    "",
  ]);
});

test("what rawText writes is read back with its times, to the millisecond, over midnight", () => {
  const frame = fc.record({
    wall: fc.integer({ min: (day + 86_000_000) * 1000, max: (day + 87_000_000) * 1000 }),
    identifier: fc.integer({ min: 0, max: 0x1fffffff }).map((id) => EXTENDED_FRAME + id),
    data: fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 8 }),
  });
  fc.assert(
    fc.property(fc.array(frame, { minLength: 1, maxLength: 20 }), (unordered) => {
      const frames = unordered.toSorted((a, b) => a.wall - b.wall);
      const { records, malformed } = read(yachtDevicesRaw, [Buffer.from(rawText(batchOf(frames)))], {
        modified: frames[0]!.wall / 1000,
      });
      expect(malformed).toBe(0);
      expect(records).toEqual(
        frames.map(({ wall, identifier, data }) => ({
          wall: Math.floor(wall / 1000) * 1000,
          identifier,
          data: Buffer.from(data).toString("hex"),
        })),
      );
    }),
  );
});
