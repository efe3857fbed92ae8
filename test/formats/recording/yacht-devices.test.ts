import { expect, test } from "vitest";
import { yachtDevicesRaw } from "../../../src/formats/recording/formats/yacht-devices.ts";
import { expectMalformed, expectReading, read, text } from "./reading.ts";

const midnight = Date.UTC(2026, 10, 21) * 1000;
const at = (hours: number, minutes: number, seconds: number): number =>
  midnight + ((hours * 60 + minutes) * 60 + seconds) * 1e6;

test("yachtDevicesRaw puts the time of day on the date of modification", () => {
  const lines = [
    "17:33:21.107 R 19F51323 01 2F 30 70 00 2F 30 70",
    "17:33:21.200 T 18eaff44 14 f0 01 ",
    "17:33:22 R 18EAFF44",
  ];
  expectReading(yachtDevicesRaw, text(lines.join("\r\n")), {
    records: [
      { wall: at(17, 33, 21.107), identifier: 0x99f51323, data: "012f3070002f3070" },
      { wall: at(17, 33, 21.2), identifier: 0x98eaff44, data: "14f001" },
      { wall: at(17, 33, 22), identifier: 0x98eaff44, data: "" },
    ],
  });
});

test("yachtDevicesRaw begins on the last day that is not after the modification, give or take the clocks", () => {
  const written = Date.UTC(2026, 10, 21, 2, 30);
  const first = (time: string): number => {
    const [record] = read(yachtDevicesRaw, [text(`${time} R 18EAFF44 00`, "")], { modified: written }).records;
    return record!.wall / 1000;
  };
  expect(first("02:29:00.000")).toBe(Date.UTC(2026, 10, 21, 2, 29));
  expect(first("23:10:00.000")).toBe(Date.UTC(2026, 10, 20, 23, 10));
  expect(first("02:30:30.000")).toBe(Date.UTC(2026, 10, 21, 2, 30, 30));
  expect(first("02:32:00.000")).toBe(Date.UTC(2026, 10, 20, 2, 32));
});

test("yachtDevicesRaw goes on over midnight, also with lines out of order there", () => {
  const times = [
    ...["23:59:59.500", "00:00:00.100", "23:59:59.900", "00:00:01.000", "12:00:00.000", "23:59:59.000", "00:00:00.000"],
  ];
  const { records } = read(yachtDevicesRaw, [text(...times.map((time) => `${time} R 18EAFF44 00`))]);
  const seconds = [86399.5, 86400.1, 86399.9, 86401, 129600, 172799, 172800];
  expect(records.map(({ wall }) => wall)).toEqual(seconds.map((value) => midnight + value * 1e6));
});

test("yachtDevicesRaw takes more than 8 bytes for a whole message, between frames", () => {
  const lines = [
    "00:00:00.000 R 09F80115 A0",
    "00:00:00.000 R 15FD0844 01 02 03 04 05 06 07 08 09",
    "00:00:00.000 R 09F80115 A1",
  ];
  expectReading(yachtDevicesRaw, text(...lines), {
    records: [
      { wall: midnight, identifier: 0x89f80115, data: "a0" },
      { wall: midnight, priority: 5, pgn: 130312, source: 0x44, destination: 255, payload: "010203040506070809" },
      { wall: midnight, identifier: 0x89f80115, data: "a1" },
    ],
  });
});

test("yachtDevicesRaw counts and skips what is no such line", () => {
  expectMalformed(yachtDevicesRaw, "17:33:21.107 R 19F51323 01 2F", [
    ...[
      [" R ", " X "],
      [" R ", " R"],
      ["19F", "9F"],
      ["19F", "39F"],
      ["323", "3230"],
      ["2F", "2"],
      ["01 2F", "012F"],
    ],
    ...[
      ["2F", "2G"],
      [" R 19F51323 01 2F", ""],
      ["17:", "24:"],
      [":33", ":60"],
      [":21", ":61"],
      [":21.107", ""],
    ],
    ...[
      [".107", "."],
      ["01 2F", "00 ".repeat(1786).trim()],
    ],
    "nonsense",
  ]);
});
