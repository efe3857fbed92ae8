/** For files of any bytes no reader throws or hangs, and pieces of any length give the same records. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { detectFormat, formats } from "../../src/recording/detect-format.ts";
import { pieces } from "./arbitrary.ts";
import { candumpLogByAddon, read, text } from "./reading.ts";

const pcapHead = Uint8Array.from([
  0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0xe3, 0, 0, 0,
]);
const logLine = "(1436509052.249713) vcan0 0DF10503#2A366C2BBA00FFFF";
const samples = [
  text(...Array.from({ length: 6 }, () => logLine), ""),
  text("(1436509052.249713) vcan0 0DF10503#2A366C2BBA00FFFF", "(1436509052.3) vcan0 044#R3", ""),
  text(" (000.250126)  can0  18EEFF16   [2]  F1 FB   '..'", "<0x18eeff01> [1] 05", ""),
  text("2016-04-09T16:41:09.078Z,3,129029,1,255,9,ff,de,48,48,af,94,32,70,eb", ""),
  text("17:33:21.107 R 19F51323 01 2F 30 70 00 2F 30 70", ""),
  text("A173321.107 23FF7 1F513 012F3070002F30709F", ""),
  text("!PDGY,127250,2,3,255,481.734,2C20AAAAAAE=", ""),
  Buffer.concat([
    pcapHead,
    Uint8Array.from([1, 0, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 0x98, 0xee, 0xff, 1, 1, 0, 0, 0, 7]),
  ]),
  Uint8Array.from([10, 13, 13, 10, 12, 0, 0, 0, 0x4d, 0x3c, 0x2b, 0x1a]),
  Uint8Array.from([1, 0, 0, 0, 20, 0, 0, 0, 227, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0]),
];

/** Samples with some bytes changed, one behind the other, and plain noise. */
const nearlyRight = fc
  .array(
    fc.tuple(
      fc.constantFrom(...samples),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }),
    ),
    { maxLength: 6 },
  )
  .map((parts) =>
    Buffer.concat(
      parts.map(([sample, changes]) => {
        const bytes = Uint8Array.from(sample);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        return bytes;
      }),
    ),
  );
const anyBytes = fc.oneof(nearlyRight, fc.uint8Array({ maxLength: 500 }));

test.each(formats)("$name reads any bytes alike, whole or in pieces", (format) => {
  fc.assert(
    fc.property(anyBytes, fc.array(fc.nat(), { maxLength: 20 }), (bytes, cuts) => {
      expect(read(format, pieces(bytes, cuts))).toEqual(read(format, [bytes]));
    }),
    { numRuns: 300 },
  );
});

test("candump -L is read by the addon as line by line", () => {
  const candumpLog = formats.find(({ name }) => name === candumpLogByAddon.name)!;
  fc.assert(
    fc.property(anyBytes, fc.array(fc.nat(), { maxLength: 20 }), (bytes, cuts) => {
      expect(read(candumpLogByAddon, pieces(bytes, cuts))).toEqual(read(candumpLog, [bytes]));
    }),
    { numRuns: 300 },
  );
});

test("detectFormat takes any bytes", () => {
  fc.assert(
    fc.property(anyBytes, fc.boolean(), (bytes, complete) => {
      const format = detectFormat(bytes, complete);
      if (format) expect(read(format, [bytes])).toBeDefined();
    }),
    { numRuns: 300 },
  );
});
