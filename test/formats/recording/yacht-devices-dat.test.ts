import { expect, test } from "vitest";
import { yachtDevicesDat } from "../../../src/formats/recording/formats/yacht-devices-dat.ts";
import { expectReading, modified, read } from "./reading.ts";

const start = modified * 1000;
const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(" ", ""), "hex");
const ofRecorder = hex("0000 ffffffff 5944565220763034");
/** 21.107 s: 127250 of device 5, a frame of eight bytes. */
const heading = hex("7352 0512f109 01102700000000fd");
/** A second later: the product of device 5 in six bytes, put together. */
const product = hex("5b56 0514f019 07 06 a0b1c2d3e4f5");
/** A request of device 5 to all. */
const request = hex("5c56 05ffea18 14f001");

const records = [
  { wall: start, identifier: 0x89f11205, data: "01102700000000fd" },
  { wall: start + 1_000_000, pgn: 126996, source: 5, destination: 255, priority: 6, payload: "a0b1c2d3e4f5" },
  { wall: start + 1_001_000, identifier: 0x98eaff05, data: "14f001" },
];

test("yachtDevicesDat reads frames and messages, and skips what the recorder says about itself", () => {
  expectReading(yachtDevicesDat, Buffer.concat([ofRecorder, heading, product, request]), { records });
});

test("yachtDevicesDat goes on when a minute ends", () => {
  const at = (milliseconds: number): Buffer => {
    const record = Buffer.from(heading);
    record.writeUInt16LE(milliseconds);
    return record;
  };
  const [one, other] = read(yachtDevicesDat, [Buffer.concat([at(59_900), at(100)])]).records;
  expect(other!.wall - one!.wall).toBe(200_000);
});

test("yachtDevicesDat finds the next record behind what is none, which counts once", () => {
  const bytes = Buffer.concat([heading, hex("ffeeffee"), product, request]);
  expectReading(yachtDevicesDat, bytes, { records, malformed: 1 });
});

test("yachtDevicesDat gives the whole records of a file that breaks off, and says so", () => {
  for (const cut of [1, 6, 7, 9])
    expectReading(yachtDevicesDat, Buffer.concat([heading, product.subarray(0, cut)]), {
      records: records.slice(0, 1),
      problem: "ends within a record",
    });
});

test("yachtDevicesDat is recognized by eight records in a row, or by all of a short file", () => {
  const head = (count: number) => Buffer.concat(Array.from({ length: count }, () => heading));
  expect(yachtDevicesDat.matches({ bytes: head(8), complete: false })).toBe(true);
  expect(yachtDevicesDat.matches({ bytes: head(7), complete: false })).toBe(false);
  expect(yachtDevicesDat.matches({ bytes: head(2), complete: true })).toBe(true);
  expect(yachtDevicesDat.matches({ bytes: Buffer.alloc(0), complete: true })).toBe(false);
  const text = "(1436509052.249713) can0 0DF10503#2A".repeat(9);
  expect(yachtDevicesDat.matches({ bytes: Buffer.from(text), complete: true })).toBe(false);
});
