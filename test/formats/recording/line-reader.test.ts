import { expect, test } from "vitest";
import type { Format, ReadLines } from "../../../src/formats/recording/formats/format.ts";
import { FRAME_BYTES } from "../../../src/formats/recording/frame-batch.ts";
import { lineFormat } from "../../../src/formats/recording/line-reader.ts";
import { RecordWriter } from "../../../src/formats/recording/record-writer.ts";
import { expectReading, read, text } from "./reading.ts";

const LONGEST_LINE = 8192;

/** Lines of digits are frames with that identifier and the length of the line as stamp; others are malformed. */
const numbers = lineFormat("numbers", () => ({
  parse: (bytes, from, to, writer) => {
    const line = Buffer.from(bytes.subarray(from, to)).toString("latin1").trim();
    if (!/^\d+$/.test(line)) return false;
    writer.frame(line.length, Number(line.slice(-3)), 0);
    return true;
  },
}));
const frames = (...identifiers: readonly number[]): object[] =>
  identifiers.map((identifier) => ({ wall: String(identifier).length, identifier, data: "" }));

test("lineReader ends lines at LF and CR LF and takes a last line without an end", () => {
  expectReading(numbers, text("1\r\n2\n3\r\n"), { records: frames(1, 2, 3) as never });
  expectReading(numbers, text("1\r\n2\n3"), { records: frames(1, 2, 3) as never });
});

test("lineReader skips empty lines and comments without calling them malformed", () => {
  expectReading(numbers, text("", "\r", "  ", "\t", "#", "# 5", "  # 6", "1", "", ""), { records: frames(1) as never });
});

test("lineReader skips a byte order mark, but only in front of the first line", () => {
  expectReading(numbers, text("\ufeff1", "2"), { records: frames(1, 2) as never });
  expectReading(numbers, text("1", "\ufeff2"), { records: frames(1) as never, malformed: 1 });
  expectReading(numbers, text("\ufeff"), {});
});

test("lineReader takes lines up to its bound, whole or in pieces, and counts longer ones once", () => {
  const longest = "9".repeat(LONGEST_LINE);
  for (const [line, malformed] of [
    [longest, 0],
    [`${longest}9`, 1],
  ] as const) {
    const bytes = text("1", line, "2");
    const expected = { malformed, records: { length: 3 - malformed } };
    expect(read(numbers, [bytes])).toMatchObject(expected);
    for (const cut of [
      2,
      3,
      1000,
      LONGEST_LINE,
      LONGEST_LINE + 1,
      LONGEST_LINE + 2,
      LONGEST_LINE + 3,
      LONGEST_LINE + 4,
    ]) {
      expect(read(numbers, [bytes.subarray(0, cut), bytes.subarray(cut)]), `cut at ${cut}`).toMatchObject(expected);
    }
    expect(read(numbers, [text(line)])).toMatchObject({ malformed, records: { length: 1 - malformed } });
  }
});

test("lineReader keeps nothing of a line of 100 MB", () => {
  const reader = numbers.createReader({ modified: 0 });
  const writer = new RecordWriter();
  reader.read(text("1", ""), false, writer);
  const chunk = new Uint8Array(1 << 16).fill(0x39);
  const before = process.memoryUsage();
  for (let bytes = 0; bytes < 100_000_000; bytes += chunk.length) reader.read(chunk, false, writer);
  const after = process.memoryUsage();
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(1e6);
  expect(reader.malformed).toBe(1);
  reader.read(text("", "2"), true, writer);
  expect(reader.malformed).toBe(1);
  expect([...writer.drain()].map((batch) => batch.frames?.length)).toEqual([64]);
});

/** Reads lines of one letter, a frame each. */
const readLetters: ReadLines = (text, records) => {
  const lines = /^([a-z]\n)*/
    .exec(Buffer.from(text).toString("latin1"))![0]
    .slice(0, (2 * records.length) / FRAME_BYTES);
  for (let frame = 0; frame < lines.length / 2; frame++) {
    records.fill(0, frame * FRAME_BYTES, (frame + 1) * FRAME_BYTES);
    records[frame * FRAME_BYTES + 16] = lines.charCodeAt(2 * frame);
  }
  return { bytes: lines.length, frames: lines.length / 2 };
};

/** Lines of one character are frames; those of letters are read many at a time. */
const letters = (readLines: ReadLines): Format =>
  lineFormat("letters", () => ({
    parse: (bytes, from, to, writer) => {
      if (to !== from + 1) return false;
      writer.frame(0, bytes[from]!, 0);
      return true;
    },
    readLines,
  }));

test("lines that are read many at a time are given from their beginning, and not in the middle of another", () => {
  const either = letters(readLetters);
  const long = "x".repeat(LONGEST_LINE + 1);
  const bytes = text("a", "b", "# c", "d", "ee", "f", long, "g", "", "h", "i");
  const records = [..."abdfghi"].map((letter) => ({ wall: 0, identifier: letter.charCodeAt(0), data: "" }));
  const cuts = [
    ...Array.from({ length: 20 }, (_, cut) => cut),
    LONGEST_LINE,
    ...Array.from({ length: 12 }, (_, cut) => bytes.length - cut),
  ];
  for (const cut of cuts) {
    const found = read(either, [bytes.subarray(0, cut), bytes.subarray(cut)]);
    expect(found, `cut at ${cut}`).toMatchObject({ records, malformed: 2 });
  }
});

test("reading many lines is tried less and less while none are read, and at each line again when some are", () => {
  /** The lines at whose beginning it was tried, from 0. */
  const tried: number[] = [];
  const bytes = text(...new Array<string>(300).fill("1"), ...new Array<string>(200).fill("a"), "2", "b", "3", "c", "");
  const found = read(
    letters((text, records) => {
      tried.push((bytes.length - text.length) / 2);
      return readLetters(text, records);
    }),
    [bytes],
  );
  expect(found).toMatchObject({ records: { length: 504 }, malformed: 0 });
  expect(tried.slice(0, 11)).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 191, 255, 319]);
  // Each time some are read, it is tried behind them, too.
  expect(tried.slice(11)).toEqual([500, 501, 502, 503, 504]);
});
