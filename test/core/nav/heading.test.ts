import { expect, test } from "vitest";
import { compassReading, headingOf, variationQuality } from "../../../src/core/nav/heading.ts";
import { gyro, magnetic } from "./boat.ts";

test.each([
  // message, variation in use, true, magnetic, deviation used
  ["magnetic", magnetic(100), 3, 103, 100, undefined],
  ["magnetic with deviation", magnetic(100, { deviationDeg: -2 }), 3, 101, 98, -2],
  ["magnetic over north", magnetic(359, { deviationDeg: 1.5 }), 3, 3.5, 0.5, 1.5],
  ["magnetic, west variation over north", magnetic(1), -3, 358, 1, undefined],
  ["magnetic without variation", magnetic(100), undefined, undefined, 100, undefined],
  ["true", gyro(100), 3, 100, 97, undefined],
  ["true, its deviation has no part in it", gyro(100, { deviationDeg: 5 }), 3, 100, 97, undefined],
  ["true over north", gyro(1), 3, 1, 358, undefined],
  ["true without variation", gyro(100), undefined, 100, undefined, undefined],
])("headingOf: %s", (_, message, variation, headingTrue, headingMagnetic, deviation) => {
  const heading = headingOf(compassReading(message), variation);
  expect(heading.headingTrue).toEqual(headingTrue);
  expect(heading.headingMagnetic).toEqual(headingMagnetic);
  expect(heading.deviation).toEqual(deviation);
});

test("variationQuality: newest model first, those who do not say behind tables, manual input last", () => {
  const best = [9, 8, 7, 6, 5, 4, 3, 2, 1, undefined, 0].map(variationQuality);
  expect(best).toEqual(best.toSorted((a, b) => a - b));
  expect(new Set(best).size).toBe(best.length);
  expect(variationQuality(12)).toBe(variationQuality(undefined));
});
