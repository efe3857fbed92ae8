import fc from "fast-check";
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

test("angles stay in their ranges and mean the same direction, for any number of turns", () => {
  const isSame = (a: number, b: number): boolean => Math.abs(Math.sin(((a - b) * Math.PI) / 360)) < 1e-3;
  fc.assert(
    fc.property(fc.double({ min: -1e4, max: 1e4, noNaN: true }), (degrees) => {
      const direction = roundedDirection(degrees);
      const angle = roundedRelative(degrees);
      expect(direction >= 0 && direction < 360 && isSame(direction, degrees)).toBe(true);
      expect(angle > -180 && angle <= 180 && isSame(angle, degrees)).toBe(true);
      for (const shown of [direction, angle]) expect(shown).toBe(Number(shown.toFixed(1)));
    }),
  );
});
