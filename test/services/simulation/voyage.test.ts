import fc from "fast-check";
import { expect, test } from "vitest";
import { lengthOf, minus, ORIGIN, polar, radians, toCoordinates } from "../../../src/services/simulation/plane.ts";
import { ROUND_SECONDS, voyageAt } from "../../../src/services/simulation/voyage.ts";
import { toPlane } from "./positions.ts";

const seconds = fc.double({ min: 0, max: 1_000_000, noNaN: true });

test("voyageAt: course and speed over ground are the derivative of the position", () => {
  fc.assert(
    fc.property(seconds, (time) => {
      const voyage = voyageAt(time);
      const moved = minus(toPlane(voyageAt(time + 0.1).position), toPlane(voyageAt(time - 0.1).position));
      expect(lengthOf(minus(moved, polar(0.2 * voyage.speedOverGround, voyage.courseOverGround)))).toBeLessThan(0.0051);
    }),
  );
});

test("voyageAt is where it was a round ago", () => {
  expect(lengthOf(minus(voyageAt(100 + ROUND_SECONDS).place, voyageAt(100).place))).toBeLessThan(1e-6);
});

test("toCoordinates maps metres onto latitude and longitude, and back", () => {
  // A minute of latitude is 1852 m, one of longitude less by the cosine of the latitude.
  const minute = toCoordinates({ north: 1852, east: 1852 * Math.cos(radians(ORIGIN.latitude)) });
  expect(60 * (minute.latitude - ORIGIN.latitude)).toBeCloseTo(1, 9);
  expect(60 * (minute.longitude - ORIGIN.longitude)).toBeCloseTo(1, 9);
  const place = toPlane(toCoordinates({ north: 1234.5, east: -987.6 }));
  expect(place.north).toBeCloseTo(1234.5, 6);
  expect(place.east).toBeCloseTo(-987.6, 6);
});
