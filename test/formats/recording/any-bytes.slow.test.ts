/** For files of any bytes no reader throws or hangs, and pieces of any length give the same records. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { detectFormat, formats } from "../../../src/formats/recording/detect-format.ts";
import { bst, eblEscaped, eblTag, eblTime, frameBst } from "../gateway/bst.ts";
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
  text("20:11:00 - 130306 09FD020D FF 8B 72 FF FF FF FF FF", ""),
  text("$PCDIN,01F119,00000000,0F,2AAF00D1067414FF*59", ""),
  text("0,6_21_2015_16_11_14_24931648,127508,Processed,Name,Unknown,6,255,2,1,8,0x017505FF7FFFFFFF", ""),
  text("$GPRMC,081426.12,A,5213.1234,N,00454.5678,E,5.4,084.4,211126,2.1,E,D", ""),
  text("\\c:1795248866*55\\$SDDPT,4.12,0.50,100", "$IIHDT,12.0,T", ""),
  Buffer.concat([Uint8Array.of(0, 0x38, 0, 0, 0xff, 0xff, 0xff, 0xff), text("YDVR v05")]),
  Uint8Array.of(1, 0x38, 9, 0, 0x13, 0x23, 0xf5, 0x19, 1, 2, 3, 4, 5, 6, 7, 8),
  eblTime(1_745_600_721_993_000),
  eblTag(7, frameBst({ id: 0x09f80124, data: Uint8Array.of(1, 0x1b, 3) }, 39_464)),
  eblEscaped(bst("93 13 02 12 F1 01 FF 03 1B 02 10 03 08 01 FF 10 02 1B 03 7F FF")),
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
