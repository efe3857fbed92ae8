import { expect, test } from "vitest";
import { yachtDevicesCan } from "../../../src/formats/recording/formats/yacht-devices-can.ts";
import { expectReading, modified, read } from "./reading.ts";

const start = modified * 1000;
const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(" ", ""), "hex");
const head = hex("0038 0000 ffffffff 594456522076 3035");
const speeds = hex("0038 0000 ffffffff 5949 33ffffffffff");
/** Minute 3, 21.107 s: four bytes of 09F80124, received. */
const first = hex("0318 7352 2401f809 a02b3301ffffffff");
/** A second later, sent by the recorder on its second interface, an identifier of 11 bits. */
const second = hex("0384 5b56 23010000 07ffffffffffffff");

const records = [
  { wall: start, identifier: 0x89f80124, data: "a02b3301" },
  { wall: start + 1_000_000, identifier: 0x123, data: "07" },
];

test("yachtDevicesCan reads frames, and skips what the recorder says about itself", () => {
  expectReading(yachtDevicesCan, Buffer.concat([head, speeds, first, second]), { records });
});

test("yachtDevicesCan knows the first record by its text alone, whose identifier some recorders leave undefined", () => {
  const bytes = Buffer.from(head);
  bytes[6] = 0;
  expect(yachtDevicesCan.matches({ bytes, complete: true })).toBe(true);
  expect(read(yachtDevicesCan, [bytes, first])).toMatchObject({ records: records.slice(0, 1) });
});

test("yachtDevicesCan goes on when the minutes start again", () => {
  const last = Buffer.from(first);
  last.writeUInt16LE(0x1800 | 1023);
  const next = Buffer.from(first);
  next.writeUInt16LE(0x1800);
  const [one, other] = read(yachtDevicesCan, [Buffer.concat([head, last, next])]).records;
  expect(other!.wall - one!.wall).toBe(60_000_000);
});

test("yachtDevicesCan counts and skips what is no record", () => {
  const badIdentifier = hex("0318 7352 240100e0 a02b3301ffffffff");
  const badShort = hex("0384 5b56 00080000 07ffffffffffffff");
  const badTime = hex("0318 60ea 2401f809 a02b3301ffffffff");
  const bytes = Buffer.concat([head, first, badIdentifier, badShort, badTime, second]);
  expectReading(yachtDevicesCan, bytes, { records, malformed: 3 });
});

test("yachtDevicesCan gives the whole records of a file that breaks off, and says so", () => {
  expectReading(yachtDevicesCan, Buffer.concat([head, first, second.subarray(0, 15)]), {
    records: records.slice(0, 1),
    problem: "ends within a record",
  });
});
