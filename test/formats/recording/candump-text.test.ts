import { expect, test } from "vitest";
import { detectFormat } from "../../../src/formats/recording/detect-format.ts";
import { candumpDifferences, candumpText } from "../../../src/formats/recording/formats/candump-text.ts";
import { expectMalformed, expectReading, type Frame, modified, text } from "./reading.ts";

const start = modified * 1000;

test("candumpText gives frames without a stamp 1 ms each from the time of modification", () => {
  const lines = [
    "# candump can0",
    "  can0  09F8027F   [8]  00 FC FF FF 00 00 FF FF",
    " vcan0  044   [3]  2a 36 6c",
    "",
    "  can0  RX - -  123   [3]  11 22 33",
    "  can0  TX B -  09F8027F   [8]  11 22 33 44 55 66 77 88   '.\"3DUfw.'",
    "  can0  123   [0]",
    "  can0  123   [0]  ",
    "  can0  18EAFF01   [3]  remote request",
    "  can0  20000004   [8]  00 01 00 00 00 00 00 00   ERRORFRAME",
    "\tcontroller-problem{rx-overflow}",
    "  can0  09F8027F   [8] {F}  11 22 33 44 55 66 77 88",
  ];
  const frames = [
    [0x89f8027f, "00fcffff0000ffff"],
    [0x044, "2a366c"],
    [0x123, "112233"],
    [0x89f8027f, "1122334455667788"],
    [0x123, ""],
    [0x123, ""],
    [0xd8eaff01, "000000"],
    [0x20000004, "0001000000000000"],
    [0x89f8027f, "1122334455667788"],
  ] as const;
  const records = frames.map(([identifier, data], index) => ({ wall: start + index * 1000, identifier, data }));
  expectReading(candumpText, text(...lines), { records });
  expectReading(candumpText, text(lines.join("\r\n")), { records });
});

test("candumpText reads the lines of canutils 4 (Angstrom)", () => {
  const lines = [
    "interface = can0, family = 29, type = 3, proto = 1",
    "<0x18eeff01> [8] 05 a0 be 1c 00 a0 a0 c0 ",
    "<0x123> [1] ff",
  ];
  expectReading(candumpText, text(...lines), {
    records: [
      { wall: start, identifier: 0x98eeff01, data: "05a0be1c00a0a0c0" },
      { wall: start + 1000, identifier: 0x123, data: "ff" },
    ],
  });
});

test("candumpText reads absolute stamps, seconds or dates", () => {
  const lines = [
    " (1675349980.504289)  can0  18EEFF16   [2]  F1 FB",
    " (1675349980.504289123)  can0  18EEFF16   [2]  F1 FB",
    " (2023-02-02 14:59:40.504289)  can0  18EEFF16   [2]  F1 FB",
  ];
  const frame = { wall: 1675349980504289, identifier: 0x98eeff16, data: "f1fb" };
  expectReading(candumpText, text(...lines), { records: [frame, frame, frame] });
});

const relative = [
  " (000.000000)  can0  15FD0717   [1]  01",
  " (000.250126)  can0  15FD0717   [1]  02",
  " (000.009871)  can0  15FD0717   [1]  03",
];
const records = (...microseconds: readonly number[]): Frame[] =>
  microseconds.map((wall, index) => ({ wall: start + wall, identifier: 0x95fd0717, data: `0${index + 1}` }));

test("candumpText counts -t z from the time of modification", () => {
  expectReading(candumpText, text(relative[0]!, relative[1]!), { records: records(0, 250126) });
});

test("candumpDifferences adds up -t d", () => {
  expectReading(candumpDifferences, text(...relative), { records: records(0, 250126, 259997) });
});

test("a stamp that steps back shows that stamps are differences, a hundred that do not that they are none", () => {
  const since = Array.from({ length: 100 }, (_, n) => ` (000.${String(n).padStart(6, "0")})  can0  123   [0]`);
  expect(detectFormat(text(...relative, ""), false)?.name).toBe("candump -t d");
  expect(detectFormat(text(...relative.slice(0, 2), ""), false)).toBeUndefined();
  expect(detectFormat(text(...relative.slice(0, 2), ""), true)?.name).toBe("candump");
  expect(detectFormat(text(...since, ""), false)?.name).toBe("candump");
});

test("candumpText counts and skips what is no classic frame", () => {
  expectMalformed(candumpText, " (1675349980.504289)  can0  18EEFF16   [2]  F1 FB", [
    "  can0  18EEFF16   [2]  F1",
    "  can0  18EEFF16   [2]  F1 F",
    "  can0  18EEFF16   [2]  F1 FG",
    "  can0  18EEFF16   [2]  F1FB",
    "  can0  18EEFF16   [2]  F1 FB00",
    "  can0  18EEFF16   [9]  F1 FB 00 00 00 00 00 00 00",
    "  can0  18EEFF16   [08]  F1 FB 00 00 00 00 00 00",
    "  can0  18EEFF16   []  F1 FB",
    "  can0  18EEFF16   [2  F1 FB",
    "  can0  18EEFF16   2  F1 FB",
    "  can0  18EEFF1   [2]  F1 FB",
    "  can0  98EEFF16   [2]  F1 FB",
    "  can0  FFF   [2]  F1 FB",
    "  18EEFF16   [2]  F1 FB",
    "  [2]  F1 FB",
    "  can0  18EEFF16",
    "  can0  123  {F [8] 11 22 33 44 55 66 77 88",
    "  can0  123   [8] {F  11 22 33 44 55 66 77 88",
    "<0x18eeff16 [2] f1 fb",
    "0x18eeff16> [2] f1 fb",
    " (1675349980,504289)  can0  18EEFF16   [2]  F1 FB",
    " (1675349980.)  can0  18EEFF16   [2]  F1 FB",
    " (1675349980.504289  can0  18EEFF16   [2]  F1 FB",
    " (2023-13-02 14:59:40.504289)  can0  18EEFF16   [2]  F1 FB",
    " (2023-02-02 24:59:40.504289)  can0  18EEFF16   [2]  F1 FB",
    " (2023-02-02)  can0  18EEFF16   [2]  F1 FB",
    "nonsense",
  ]);
});
