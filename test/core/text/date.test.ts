import fc from "fast-check";
import { expect, test } from "vitest";
import { dateText, dayOf, isoTime, timeText } from "../../../src/core/text/date.ts";

test.each([
  [0, "1970-01-01"],
  [20778, "2026-11-21"],
  [65532, "2149-06-03"],
])("day %d is %s", (days, text) => {
  expect(dateText(days)).toBe(text);
});

test.each([
  [0, "00:00:00"],
  [29666.9999, "08:14:26"],
  [86399.9999, "23:59:59"],
  [86400, "23:59:60"],
  [86400.9999, "23:59:60"],
])("%d seconds since midnight are %s", (seconds, text) => {
  expect(timeText(seconds)).toBe(text);
});

test("dayOf is the day of a wall-clock time, before 1970 too", () => {
  expect([dayOf(0), dayOf(86_400_000 - 1), dayOf(86_400_000), dayOf(-1)]).toEqual([0, 0, 1, -1]);
});

test("isoTime is what Date writes, whatever moment came before", () => {
  const moment = fc.oneof(
    fc.integer({ min: -1e12, max: 3e14 }),
    fc.double({ min: 0, max: 4e12, noNaN: true }).map((time) => Math.floor(time * 1000) / 1000),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(moment, fc.integer({ min: 0, max: 999 }))), (moments) => {
      for (const [time, later] of moments) {
        for (const wall of [time, time + later]) expect(isoTime(wall)).toBe(new Date(wall).toISOString());
      }
    }),
  );
});

test.each([
  [0, "1970-01-01T00:00:00.000Z"],
  [951_782_399_999.9, "2000-02-28T23:59:59.999Z"],
  [253_402_300_799_999, "9999-12-31T23:59:59.999Z"],
  [253_402_300_800_000, "+010000-01-01T00:00:00.000Z"],
])("%d milliseconds since 1970 are %s", (wall, text) => {
  expect(isoTime(wall)).toBe(text);
});

test("an invalid time throws", () => {
  expect(() => isoTime(Number.NaN)).toThrow(RangeError);
  expect(() => isoTime(1e17)).toThrow(RangeError);
});
