import { expect, test } from "vitest";
import { ikonvert } from "../../../src/formats/recording/formats/ikonvert.ts";
import { expectMalformed, expectReading, modified, read, text } from "./reading.ts";

const start = modified * 1000;
const good = "!PDGY,127250,2,3,255,481.734,2C20AAAAAAE=";
const record = {
  wall: start + 481_734_000,
  priority: 2,
  pgn: 127250,
  source: 3,
  destination: 255,
  payload: "d82db40000000001",
};

test("ikonvert reads messages and skips what the gateway says about itself", () => {
  expectReading(ikonvert, text("$PDGY,000000,4,,5,482,1,0", `${good}\r`, "!PDGY,59904,6,3,36,482,FPAB"), {
    records: [
      record,
      { wall: start + 482_000_000, priority: 6, pgn: 59904, source: 3, destination: 36, payload: "14f001" },
    ],
  });
});

test("ikonvert finds a sentence behind the rest of one that was cut off, and in front of one that broke in", () => {
  expectReading(ikonvert, text(`w6BGlf/h${good}`, `!PDGY,1272${good}`, `${good}$PDGY,000000,3,,5,485,1,0`), {
    records: [record, record, record],
  });
});

test("ikonvert starts its timer again after 1000 seconds", () => {
  const { records } = read(ikonvert, [text(good.replace("481.734", "999.9"), good.replace("481.734", "0.1"))]);
  expect(records[1]!.wall - records[0]!.wall).toBe(200_000);
});

test("ikonvert counts and skips what is no whole sentence", () => {
  expectMalformed(ikonvert, good, [
    "!PDGY,127250,2,3",
    "!PDGY,127250,2,3,255,481.734,",
    "!PDGY,127250,2,3,255,481.734,2C20AAAAAAE",
    "!PDGY,127250,2,3,255,481.734,2C20AAAAAAE=!",
    "!PDGY,127250,2,3,255,481.734,2C20AAAA$PDGY,000000,4,,5,569,1,0",
    "!PDGY,127250,8,3,255,481.734,2C20AAAAAAE=",
    "!PDGY,127250,2,256,255,481.734,2C20AAAAAAE=",
    "!PDGY,127250,2,3,256,481.734,2C20AAAAAAE=",
    "!PDGY,127250,2,3,255,,2C20AAAAAAE=",
    "!PDGY,,2,3,255,481.734,2C20AAAAAAE=",
    "!$PDGY,000000,4,,5,676,1,0",
    `!PDGY,127250,2,3,255,481.734,${"AAAA".repeat(596)}`,
    "nonsense",
  ]);
});
