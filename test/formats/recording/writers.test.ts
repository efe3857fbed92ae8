import { expect, test } from "vitest";
import { candumpText } from "../../../src/formats/recording/formats/candump-writer.ts";
import { rawText } from "../../../src/formats/recording/formats/yacht-devices-writer.ts";
import {
  ERROR_FRAME,
  EXTENDED_FRAME,
  type FrameBatch,
  REMOTE_FRAME,
} from "../../../src/formats/recording/frame-batch.ts";
import { RecordWriter } from "../../../src/formats/recording/record-writer.ts";

interface AnyFrame {
  readonly wall: number;
  readonly identifier: number;
  readonly data: readonly number[];
}

/** The frames as a batch; `data` may be empty of a remote frame, which has a length only. */
function batchOf(frames: readonly AnyFrame[]): FrameBatch {
  const writer = new RecordWriter();
  for (const { wall, identifier, data } of frames)
    writer.frameOf(wall, identifier >>> 0, Uint8Array.from(data), data.length);
  return [...writer.drain()][0]!.frames!;
}

const wall = Date.UTC(2026, 10, 21, 8, 14, 26) * 1000 + 123_456;

test("candumpText writes each kind of frame as candump -L does", () => {
  const frames = [
    { wall, identifier: EXTENDED_FRAME + 0x09f11203, data: [0xff, 0x2a, 0, 1, 2, 3, 4, 5] },
    { wall: wall + 0.75, identifier: EXTENDED_FRAME + 0x3, data: [] },
    { wall, identifier: 0x44, data: [0x2a] },
    { wall, identifier: REMOTE_FRAME + 0x44, data: [] },
    { wall, identifier: REMOTE_FRAME + EXTENDED_FRAME + 0x44, data: [0, 0, 0] },
    { wall, identifier: ERROR_FRAME + 0x4, data: [0, 8, 0, 0, 0, 0, 0, 0] },
  ];
  expect(candumpText(batchOf(frames), "can0").split("\n")).toEqual([
    "(1795248866.123456) can0 09F11203#FF2A000102030405",
    "(1795248866.123456) can0 00000003#",
    "(1795248866.123456) can0 044#2A",
    "(1795248866.123456) can0 044#R",
    "(1795248866.123456) can0 00000044#R3",
    "(1795248866.123456) can0 20000004#0008000000000000",
    "",
  ]);
});

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
