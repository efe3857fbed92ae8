import { test } from "vitest";
import { airmar } from "../../../src/formats/recording/formats/airmar.ts";
import { garminCsv } from "../../../src/formats/recording/formats/garmin-csv.ts";
import { seaSmart } from "../../../src/formats/recording/formats/seasmart.ts";
import { expectMalformed, expectReading, modified, text } from "./reading.ts";

const start = modified * 1000;
const midnight = Date.UTC(2026, 10, 21) * 1000;

test("airmar reads messages, with blanks or commas between their bytes", () => {
  const lines = [
    "20:11:00 - 130306 09FD020D FF 8B 72 FF FF FF FF FF",
    "20:11:00.250 - 0 18EEFF00 8E,F2,DD,E8,00,96,64,40",
  ];
  const wall = midnight + (20 * 60 + 11) * 60e6;
  expectReading(airmar, text(...lines), {
    records: [
      { wall, pgn: 130306, priority: 2, source: 13, destination: 255, payload: "ff8b72ffffffffff" },
      { wall: wall + 250_000, pgn: 60928, priority: 6, source: 0, destination: 255, payload: "8ef2dde800966440" },
    ],
  });
});

test("airmar counts and skips what is no such line", () => {
  expectMalformed(airmar, "20:11:00 - 130306 09FD020D FF 8B", [
    ...[
      ["- ", ""],
      ["20:", "24:"],
      ["130306 ", ""],
      ["09FD", "9FD"],
      ["09FD", "39FD"],
      ["8B", "8"],
      ["FF 8B", "FF8B"],
    ],
    ...[
      ["FF 8B", "FF,8G"],
      [" FF 8B", ""],
      ["FF 8B", "00 ".repeat(1786).trim()],
    ],
    "nonsense",
  ]);
});

const sentence = (body: string): string =>
  `$${body}*${Buffer.from(body)
    .reduce((sum, byte) => sum ^ byte)
    .toString(16)
    .toUpperCase()
    .padStart(2, "0")}`;

test("seaSmart reads sentences, whose times begin at that of the file and start again after 32 bits", () => {
  const lines = ["$PCDIN,01F119,FFFFFF00,0F,2AAF00D1067414FF*59", "PCDIN,00EE00,00000100,24,01"];
  const first = sentence("PCDIN,01F119,FFFFFF00,0F,2AAF00D1067414FF");
  const of = { priority: 0, destination: 255 };
  expectReading(seaSmart, text(first, sentence(lines[1]!)), {
    records: [
      { wall: start, pgn: 127257, source: 15, payload: "2aaf00d1067414ff", ...of },
      { wall: start + 512_000, pgn: 60928, source: 36, payload: "01", ...of },
    ],
  });
});

test("seaSmart counts and skips what is no such sentence", () => {
  expectMalformed(seaSmart, "$PCDIN,01F119,00000000,0F,2AAF00D1067414FF*59", [
    "$PCDIN,01F119,00000000,0F,2AAF00D1067414FF*58",
    "$PCDIN,01F119,00000000,0F,2AAF00D1067414FF",
    "$PCDIN,01F119,00000000,0F,2AAF00D1067414FF*59 ",
    sentence("PCDIN,01F119,00000000,0F,2AAF0"),
    sentence("PCDIN,01F119,00000000,100,2AAF"),
    sentence("PCDIN,1000000,00000000,0F,2AAF"),
    sentence("PCDIN,01F119,,0F,2AAF"),
    sentence("PCDIN,01F119,00000000,0F,"),
    sentence("PCDIN,01F119,00000000,2AAF"),
    sentence(`PCDIN,01F119,00000000,0F,${"00".repeat(1786)}`),
    "$GPRMC,,V,,,,,,,,,,N*53",
  ]);
});

const columns = "Name,Manufacturer,Remote Address,Local Address,Priority,Single Frame,Size,Packet";
const battery = { pgn: 127508, priority: 2, source: 6, destination: 255, payload: "017505ff7fffffff" };

test("garminCsv reads times from the start of the recorder, and names with commas", () => {
  const lines = [
    `Sequence #,Timestamp,PGN,${columns}`,
    "0,486942,127508,Battery Status,Garmin,6,255,2,1,8,0x017505FF7FFFFFFF",
    '1,487042,127508,Battery, Status,"Unknown, really",6,255,2,1,8,0x017505FF7FFFFFFF',
  ];
  expectReading(garminCsv, text(...lines), {
    records: [
      { ...battery, wall: start },
      { ...battery, wall: start + 100_000 },
    ],
  });
});

test("garminCsv reads dates", () => {
  const lines = [
    `Sequence #,Month_Day_Year_Hours_Minutes_Seconds_msTicks,PGN,Processed PGN,${columns}`,
    "0,6_21_2015_16_11_14_24931648,127508,Processed,Battery Status,Unknown,6,255,2,1,8,0x017505FF7FFFFFFF",
  ];
  const wall = Date.UTC(2015, 5, 21, 16, 11, 14, 648) * 1000;
  expectReading(garminCsv, text(...lines), { records: [{ ...battery, wall }] });
});

test("garminCsv counts and skips what is no such line", () => {
  const dated = (date: string): string => `0,${date},127508,Processed,Name,Garmin,6,255,2,1,1,0x01`;
  expectMalformed(garminCsv, "0,486942,127508,Name,Garmin,6,255,2,1,2,0x0175", [
    ...[
      ["0,", "x,"],
      ["486942", ""],
      ["127508", "x"],
      [",Name,Garmin,6,255,2,1,2,0x0175", ",6,255,2,1,2"],
    ],
    ...[
      ["Garmin,6,", "Garmin,256,"],
      [",255,", ",256,"],
      [",2,1,2,", ",8,1,2,"],
      [",1,2,", ",,2,"],
      ["2,0x", "3,0x"],
    ],
    ...[
      ["2,0x", "1,0x"],
      ["2,0x0175", "0,0x"],
      [",1,2,", ",1,1786,"],
      ["0x0175", "0175"],
    ],
    dated("6_31_2015_16_11_14_648"),
    dated("13_1_2015_16_11_14_648"),
    dated("6_21_99999_16_11_14_648"),
    dated("6_21_2015_24_11_14_648"),
    dated("6_21_2015_16_11_14"),
    dated("6_21_2015_16_11_14_648_1"),
    "nonsense",
  ]);
});
