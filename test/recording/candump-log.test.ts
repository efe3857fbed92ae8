import { test } from "vitest";
import { candumpLog } from "../../src/recording/candump-log.ts";
import { cutEverywhere, text } from "./reading.ts";

const lines = [
  "(1436509052.249713) vcan0 0DF10503#2A366C2BBA",
  "(1436509052.249714) vcan0 044#2a366c2bba",
  "",
  "# a comment",
  "(1436509052.250000) can0 18EEFF01#05A0BE1C00A0A0C0 R",
  "(1436509052.25) can0 7FF#",
];
const frames = [
  { wall: 1436509052249713, identifier: 0x8df10503, data: "2a366c2bba" },
  { wall: 1436509052249714, identifier: 0x044, data: "2a366c2bba" },
  { wall: 1436509052250000, identifier: 0x98eeff01, data: "05a0be1c00a0a0c0" },
  { wall: 1436509052250000, identifier: 0x7ff, data: "" },
];

test.each(["\n", "\r\n"])("candumpLog reads lines that end in %j, cut at every byte", (lineEnd) => {
  cutEverywhere(candumpLog, text(lines.join(lineEnd)), frames);
});
