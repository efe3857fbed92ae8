import { expect, test } from "vitest";
import { actisenseAscii } from "../../../src/formats/recording/formats/actisense-ascii.ts";
import { expectMalformed, expectReading, read, text } from "./reading.ts";

const midnight = Date.UTC(2026, 10, 21) * 1000;
const wall = midnight + ((17 * 60 + 33) * 60 + 21.107) * 1e6;

test("actisenseAscii reads messages on the date of modification", () => {
  const lines = ["A173321.107 23FF7 1F513 012F3070002F30709f", "", "A173321 0a246 EA00 14f001 "];
  expectReading(actisenseAscii, text(lines.join("\r\n")), {
    records: [
      { wall, priority: 7, pgn: 128275, source: 0x23, destination: 255, payload: "012f3070002f30709f" },
      { wall: wall - 107_000, priority: 6, pgn: 59904, source: 0x0a, destination: 0x24, payload: "14f001" },
    ],
  });
});

test("actisenseAscii ignores the upper bit of the priority, which is reserved", () => {
  const { records } = read(actisenseAscii, [text("A173321.107 23FFB 1F513 01")]);
  expect(records).toMatchObject([{ priority: 3, source: 0x23, destination: 255 }]);
});

test("actisenseAscii goes on over midnight", () => {
  const { records } = read(actisenseAscii, [text("A235959.999 23FF7 1F513 01", "A000000.001 23FF7 1F513 01")]);
  expect(records[1]!.wall - records[0]!.wall).toBe(2000);
});

test("actisenseAscii counts and skips what is no such line", () => {
  expectMalformed(actisenseAscii, "A173321.107 23FF7 1F513 012F", [
    ...[
      ["A", ""],
      ["A1", "A"],
      ["A17", "A24"],
      ["A1733", "A1760"],
      [".107", "."],
      ["23FF7", "3FF7"],
      ["23FF", "23FG"],
    ],
    ...[
      ["1F513", "1F51300"],
      ["1F513 ", ""],
      [" 012F", ""],
      ["012F", "012"],
      ["012F", "012G"],
      ["012F", "01 2F"],
    ],
    ["012F", "00".repeat(1786)],
    "nonsense",
  ]);
});
