import { expect, test } from "vitest";
import { WindShift } from "../../../src/core/alarms/wind-shift.ts";

/** Hears a wind each second for so long; the last shift. */
function wind(minutes: number, direction: number, shift = new WindShift(), begin = 0) {
  let last: number | undefined;
  for (let second = 0; second < minutes * 60; second++) last = shift.observe(direction, begin + second * 1000);
  return { shift, last, end: begin + minutes * 60_000 };
}

test("a shift is told from twenty minutes of wind on", () => {
  expect(wind(20, 350).last).toBeUndefined();
  const { shift, last, end } = wind(21, 350);
  expect(last).toBeCloseTo(0);
  // Across north, to the right.
  expect(wind(5, 20, shift, end).last).toBeGreaterThan(15);
});

test("a wind that is heard again after more than five minutes begins anew, in whatever direction it was before", () => {
  const { shift, end } = wind(21, 350);
  const later = end + 301_000;
  expect(wind(20, 90, shift, later).last).toBeUndefined();
  expect(wind(1, 90, shift, later + 1_200_000).last).toBeCloseTo(0);
});

test("after a shorter pause it goes on", () => {
  const { shift, end } = wind(21, 350);
  expect(wind(1, 350, shift, end + 290_000).last).toBeCloseTo(0);
});
