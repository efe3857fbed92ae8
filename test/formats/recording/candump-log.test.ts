import { describe, expect, test } from "vitest";
import { candumpLog } from "../../../src/formats/recording/formats/candump-log.ts";
import { RecordWriter } from "../../../src/formats/recording/record-writer.ts";
import { candumpLogByAddon } from "./by-addon.ts";
import { expectMalformed, expectReading, type Frame, read, text } from "./reading.ts";

const wall = 1436509052249713;
const LONGEST_LINE = 8192;
const recording = [
  "(1436509052.249713) vcan0 0DF10503#2A366C2BBA",
  "(1436509052.249713) can0 0df10503#2a366c2bba01ff80",
  "(1436509052.249713) can0 044#2A",
  "",
  "# a comment",
  "  ",
  "(1436509052.249713) can0 18EEFF01#05A0BE1C00A0A0C0 R",
  "(1436509052.249713) can0 18EEFF01#05A0BE1C00A0A0C0 ",
  "(1436509052.249713) can0 7FF#",
  "(1436509052.249713) can0 18EEFF01#",
  "(1436509052.249713) can0 044#R",
  "(1436509052.249713) can0 18EAFF01#R3",
  "(1436509052.249713) can0 2000008C#0001000000000000",
  "(1436509052.249713) can0 18EEFF01#05A0BE1C00A0A0C0_C",
  "(1436509052.2497139) can0 001#00",
  "(0000000000.352000) an-interface-with-a-long-name 09F20101#00",
  "(1.5) can0 001#00",
];
const frames: readonly Frame[] = [
  { wall, identifier: 0x8df10503, data: "2a366c2bba" },
  { wall, identifier: 0x8df10503, data: "2a366c2bba01ff80" },
  { wall, identifier: 0x044, data: "2a" },
  { wall, identifier: 0x98eeff01, data: "05a0be1c00a0a0c0" },
  { wall, identifier: 0x98eeff01, data: "05a0be1c00a0a0c0" },
  { wall, identifier: 0x7ff, data: "" },
  { wall, identifier: 0x98eeff01, data: "" },
  { wall, identifier: 0x40000044, data: "" },
  { wall, identifier: 0xd8eaff01, data: "000000" },
  { wall, identifier: 0x2000008c, data: "0001000000000000" },
  { wall, identifier: 0x98eeff01, data: "05a0be1c00a0a0c0" },
  { wall, identifier: 0x001, data: "00" },
  { wall: 352000, identifier: 0x89f20101, data: "00" },
  { wall: 1500000, identifier: 0x001, data: "00" },
];

const line = ({ wall, identifier, data }: Frame, name: string, upper: boolean): string => {
  const id = (identifier & 0x1fffffff).toString(16).padStart(8, "0");
  const content = `${id}#${data}`;
  const stamp = `${Math.floor(wall / 1e6)}.${String(wall % 1e6).padStart(6, "0")}`;
  return `(${stamp}) ${name} ${upper ? content.toUpperCase() : content}\n`;
};

describe.each([
  { how: "line by line", format: candumpLog },
  { how: "by the addon", format: candumpLogByAddon },
])("candumpLog, $how,", ({ format }) => {
  test("reads lines that end in LF, cut at every byte", () => {
    expectReading(format, text(...recording), { records: frames });
    expectReading(format, text(...recording, ""), { records: frames });
  });

  test("reads lines that end in CR LF, cut at every byte", () => {
    expectReading(format, text(recording.join("\r\n")), { records: frames });
    expectReading(format, text(`${recording.join("\r\n")}\r\n`), { records: frames });
  });

  test("reads the second anew whichever of its digits has changed", () => {
    const second = "1436509052";
    const seconds = [...second].flatMap((digit, at) => [
      second,
      `${second.slice(0, at)}${digit === "7" ? 8 : 7}${second.slice(at + 1)}`,
    ]);
    const lines = seconds.map((digits) => `(${digits}.249713) can0 0DF10503#2A366C2BBA01FF80`);
    const records = seconds.map((digits) => ({
      wall: Number(digits) * 1e6 + 249713,
      identifier: 0x8df10503,
      data: "2a366c2bba01ff80",
    }));
    expectReading(format, text(...lines, ""), { records });
  });

  test("reads lines up to their bound alike, whole or in pieces", () => {
    const line = (length: number): string => "(1436509052.249713) can0 044#2A ".padEnd(length, "x");
    const other = "(1436509052.249713) can0 0DF10503#2A366C2BBA01FF80";
    for (const [length, records] of [
      [LONGEST_LINE, 3],
      [LONGEST_LINE + 1, 2],
    ] as const) {
      const bytes = text(other, line(length), other, "");
      for (const cut of [0, 100, LONGEST_LINE, bytes.length - 1]) {
        const found = read(format, [bytes.subarray(0, cut), bytes.subarray(cut)]);
        expect(found).toMatchObject({ malformed: 3 - records, records: { length: records } });
      }
    }
  });

  test("reads stamps of any number of digits", () => {
    const stamps = ["1.5", "12.25", "123.125", "1234567890.1", "123456789012.123456", "1.123456789", "7.", "0.000001"];
    const lines = stamps.map((stamp) => `(${stamp}) can0 001#00`);
    const records = stamps.map((stamp) => ({
      wall: Math.floor(Number(stamp.slice(0, stamp.indexOf(".") + 7)) * 1e6 + 0.5),
      identifier: 1,
      data: "00",
    }));
    expectReading(format, text(...lines, ""), { records });
  });

  test("counts and skips what is no classic frame", () => {
    expectMalformed(format, "(1436509052.249713) vcan0 0DF10503#2A366C2BBA", [
      ...[
        ["(", ""],
        [".249713", ""],
        ["1436509052", ""],
        [".249", ",249"],
        ["(1", "(-"],
        ["713", "71x"],
        ["6509", "65x9"],
      ],
      ...[
        ["52.", "52143650905."],
        [") ", ")"],
        [" vcan0 ", "  "],
        [" 0DF10503#2A366C2BBA", ""],
        ["#2A366C2BBA", ""],
      ],
      ...[
        ["0DF10503#2A366C2BBA", ""],
        ["503#", "50#"],
        ["503#", "5031#"],
        ["503#", "50G#"],
        ["0DF10503", "800"],
      ],
      ...[
        ["0DF", "8DF"],
        ["0DF", "4DF"],
        ["#2A366C2BBA", "#2"],
        ["2BBA", "2BB"],
        ["BBA", "BBA0102030"],
      ],
      ...[
        ["BBA", "BBA01020304"],
        ["BBA", "BBA010203_7"],
        ["BBA", "BBA010203_"],
        ["BBA", "BBA_C"],
        ["2A366C2BBA", "R9"],
      ],
      ...[
        ["#2A", "##12A"],
        ["BBA", "BBA\u0000"],
      ],
      "nonsense",
    ]);
  });

  test("takes no line end for a part of the interface's name", () => {
    const torn = "(1436509052.249713) vc\nn0 0DF10503#2A366C2BBA00FFFF\n";
    const behind = "(1436509052.249713) vcan0 0DF10503#2A366C2BBA00FFFF\n".repeat(2);
    expectReading(format, text(torn + behind), { records: read(format, [text(behind)]).records, malformed: 2 });
    for (const torn of ["(1436509052.249713) \n 0DF10503#2A\n", "(1436509052.249713) \nx 0DF10503#2A\n"])
      expect(read(format, [text(torn + behind)])).toMatchObject({ records: { length: 2 }, malformed: 2 });
  });

  test("gives frames the time between their stamps, across batches", () => {
    const count = 5000;
    const stamps = Array.from({ length: count }, (_, number) => 1_436_509_052_000_000 + number * 10);
    const bytes = text(
      ...stamps.map((wall) => line({ wall, identifier: 0x09f10503, data: "2a" }, "can0", true).trim()),
      "",
    );
    const reader = format.createReader({ modified: 0 });
    const writer = new RecordWriter();
    reader.read(bytes, true, writer);
    const times = [...writer.drain()].flatMap(({ frames }) => {
      const doubles = new Float64Array(frames!.bytes.buffer, frames!.bytes.byteOffset, frames!.length / 8);
      return Array.from({ length: doubles.length / 4 }, (_, number) => doubles[4 * number + 1]);
    });
    expect(times).toEqual(stamps.map((wall) => wall - stamps[0]!));
  });
});
