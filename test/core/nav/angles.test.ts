import { expect, test } from "vitest";
import { bearing, relative } from "../../../src/core/nav/angles.ts";
import { direction, relativeAngle } from "../../../src/core/nav/report-numbers.ts";
import { formatOf, rounded } from "../../../src/core/report/number.ts";

const roundedDirection = (degrees: number): number => rounded(degrees, formatOf(direction));
const roundedRelative = (degrees: number): number => rounded(degrees, formatOf(relativeAngle));

test.each([
  [0, 0],
  [359.9, 359.9],
  [360, 0],
  [-360, 0],
  [-0, 0],
  [-1, 359],
  [725, 5],
  [-1e-20, 0],
])("bearing of %d is %d", (degrees, expected) => {
  expect(bearing(degrees)).toBe(expected);
});

test.each([
  [180, 180],
  [-180, 180],
  [181, -179],
  [-181, 179],
  [360, 0],
  [540, 180],
  [-0, 0],
])("relative of %d is %d", (degrees, expected) => {
  expect(relative(degrees)).toBe(expected);
});

test.each([
  [359.94, 359.9],
  [359.95, 0],
  [-0.04, 0],
  [-0.06, 359.9],
  [12.25, 12.3],
])("direction of %d is rounded to %d", (degrees, expected) => {
  expect(roundedDirection(degrees)).toBe(expected);
});

test.each([
  [-179.96, 180],
  [-179.94, -179.9],
  [179.97, 180],
  [180.04, 180],
  [180.06, -179.9],
  [-1.25, -1.2],
  [-0.04, 0],
])("relativeAngle of %d is rounded to %d", (degrees, expected) => {
  expect(roundedRelative(degrees)).toBe(expected);
});
