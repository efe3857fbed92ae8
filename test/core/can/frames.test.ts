import fc from "fast-check";
import { expect, test } from "vitest";
import { broadcastFrames, fastPacketFrames, singleFrame } from "../../../src/core/can/frames.ts";

const header = { priority: 3, pgn: 129029, source: 7, destination: 255 };
const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => index + 1);
const hex = (data: Uint8Array): string => Buffer.from(data).toString("hex");

test("singleFrame keeps a short payload short and refuses nine bytes", () => {
  expect(hex(singleFrame(header, bytes(3)).data)).toBe("010203");
  expect(() => singleFrame(header, bytes(9))).toThrow(RangeError);
});

test("fastPacketFrames puts six bytes behind the length, then seven a frame, then ones", () => {
  expect(fastPacketFrames(header, bytes(15), 5).map(({ data }) => hex(data))).toEqual([
    "a00f010203040506",
    "a10708090a0b0c0d",
    "a20e0fffffffffff",
  ]);
});

test("fastPacketFrames fills at most 32 frames and refuses what fits in none", () => {
  expect(fastPacketFrames(header, bytes(223), 8)).toHaveLength(32);
  expect(fastPacketFrames(header, bytes(6), 0)).toHaveLength(1);
  expect(() => fastPacketFrames(header, bytes(224), 0)).toThrow(RangeError);
  expect(() => fastPacketFrames(header, bytes(0), 0)).toThrow(RangeError);
});

test("broadcastFrames announces length, packets and PGN, then counts from 1", () => {
  const frames = broadcastFrames({ ...header, pgn: 65240 }, bytes(9));
  expect(frames.map(({ id, data }) => `${id.toString(16)} ${hex(data)}`)).toEqual([
    "1cecff07 20090002ffd8fe00",
    "1cebff07 0101020304050607",
    "1cebff07 020809ffffffffff",
  ]);
  expect(broadcastFrames(header, bytes(1785))).toHaveLength(256);
  expect(() => broadcastFrames(header, bytes(8))).toThrow(RangeError);
  expect(() => broadcastFrames(header, bytes(1786))).toThrow(RangeError);
});

test("fastPacketFrames carries every byte once, in order, whatever the length", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 223 }), fc.nat(100), (payload, sequence) => {
      const frames = fastPacketFrames(header, payload, sequence);
      frames.forEach(({ data }, index) => {
        expect(data).toHaveLength(8);
        expect(data[0]).toBe(((sequence & 7) << 5) | index);
      });
      const carried = frames.flatMap(({ data }, index) => [...data.subarray(index === 0 ? 2 : 1)]);
      expect(carried.slice(0, payload.length)).toEqual([...payload]);
      expect(carried.slice(payload.length).every((byte) => byte === 0xff)).toBe(true);
    }),
  );
});
