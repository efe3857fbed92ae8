import { expect, test } from "vitest";
import { decoderOf } from "../../../src/core/n2k/decode.ts";
import { pgn } from "../../../src/core/n2k/definition.ts";
import { encoderOf } from "../../../src/core/n2k/encode.ts";
import { aisClassAPositionReport, aisClassBExtendedPositionReport } from "../../../src/core/n2k/pgns/ais.ts";
import { alertText } from "../../../src/core/n2k/pgns/alerts.ts";
import { dscCallInformation } from "../../../src/core/n2k/pgns/dsc.ts";
import { vesselHeading } from "../../../src/core/n2k/pgns/steering.ts";
import { isoRequest } from "../../../src/core/n2k/pgns/system.ts";
import { speedWaterReferenced } from "../../../src/core/n2k/pgns/water.ts";
import { lauText, text } from "../../../src/core/n2k/verbs.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

test("encoderOf fills up a single frame with ones, and leaves an ISO Request at three bytes", () => {
  expect(hex(encoderOf(vesselHeading)({ pgn: 127250, headingDeg: 180 }))).toBe("ffb87aff7fff7fff");
  expect(hex(encoderOf(isoRequest)({ pgn: 59904, requestedPgn: 60928 }))).toBe("00ee00");
});

test("encoderOf takes a number in its second unit", () => {
  const knots = encoderOf(speedWaterReferenced)({ pgn: 128259, speedWaterKnots: 10 });
  expect(hex(knots)).toBe(hex(encoderOf(speedWaterReferenced)({ pgn: 128259, speedWaterMs: 5.14 })));
});

test("encoderOf takes a code by its text", () => {
  const bytes = encoderOf(alertText)({ pgn: 126985, languageName: "Dutch" });
  expect(decoderOf(alertText)(bytes, 0, bytes.length, 9)).toMatchObject({ languageId: 6, languageCode: "nl" });
});

test("encoderOf writes AIS defaults where a value is absent", () => {
  const bytes = encoderOf(aisClassBExtendedPositionReport)({ pgn: 129040 });
  // Second 60, and ship type 0, stand for not available; spare bits are zeros.
  expect(bytes[13]! >> 2).toBe(60);
  expect(bytes[20]).toBe(0);
  const report = encoderOf(aisClassAPositionReport)({ pgn: 129038, timeStampStatus: "Dead reckoning mode" });
  expect(report[13]! >> 2).toBe(62);
  expect(report[26]! & 7).toBe(0);
});

test.each([
  ["ASCII", "Zuerich"],
  ["UTF-8 where it fits", "Zürich"],
  ["ISO 8859-1 where only that fits", "Zürichüö"],
])("encoderOf writes fixed text as %s", (_, value) => {
  const definition = pgn(1, "text", { value: text(8) });
  const bytes = encoderOf(definition)({ pgn: 1, value });
  expect(decoderOf(definition)(bytes, 0, bytes.length, 0).value).toBe(value);
});

test.each([
  ["short", "⛵"],
  ["as ISO 8859-1 where UTF-8 is too long", "é".repeat(200)],
  ["as UTF-16 where that is too long as well", "⛵".repeat(126)],
])("encoderOf writes text with its length, %s", (_, value) => {
  const definition = pgn(1, "text", { value: lauText() }, { transport: "fast" });
  const bytes = encoderOf(definition)({ pgn: 1, value });
  expect(bytes.length).toBeLessThanOrEqual(255);
  expect(decoderOf(definition)(bytes, 0, bytes.length, 0).value).toBe(value);
});

test("the two readings of a DSC call go by its category", () => {
  const write = encoderOf(dscCallInformation);
  const read = decoderOf(dscCallInformation);
  const distress = write({ pgn: 129808, category: "Distress", natureOfDistress: "Sinking" });
  expect(read(distress, 0, distress.length, 0)).toMatchObject({ natureOfDistress: "Sinking" });
  expect(read(distress, 0, distress.length, 0)).not.toHaveProperty("firstTelecommand");
  const routine = write({ pgn: 129808, category: "Routine", firstTelecommand: "Data" });
  expect(read(routine, 0, routine.length, 0)).toMatchObject({ firstTelecommand: "Data" });
  expect(read(routine, 0, routine.length, 0)).not.toHaveProperty("natureOfDistress");
});
