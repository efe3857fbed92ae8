import { expect, test } from "vitest";
import { dateText, dayOf, timeText } from "../../src/nav/date.ts";

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
