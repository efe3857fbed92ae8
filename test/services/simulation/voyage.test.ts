import fc from "fast-check";
import { expect, test } from "vitest";
import {
  half,
  lengthOf,
  minus,
  ORIGIN,
  plus,
  polar,
  radians,
  toCoordinates,
} from "../../../src/services/simulation/plane.ts";
import {
  betterFix,
  OUTAGE_SECONDS,
  plainFix,
  ROUND_SECONDS,
  voyageAt,
  weatherAt,
} from "../../../src/services/simulation/voyage.ts";
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

test("voyageAt: way through the water and current add up to the way over ground", () => {
  fc.assert(
    fc.property(seconds, (time) => {
      const { heading, leeway, speedThroughWater, set, drift, courseOverGround, speedOverGround } = voyageAt(time);
      const sum = plus(polar(speedThroughWater, heading + leeway), polar(drift, set));
      expect(lengthOf(minus(sum, polar(speedOverGround, courseOverGround)))).toBeLessThan(1e-9);
    }),
  );
});

test("voyageAt: true wind computed from apparent wind, log and leeway is the wind over the water", () => {
  fc.assert(
    fc.property(seconds, (time) => {
      const { apparentWind, trueWind, speedThroughWater, leeway, heading } = voyageAt(time);
      const ahead =
        apparentWind.speed * Math.cos(radians(apparentWind.angle)) - speedThroughWater * Math.cos(radians(leeway));
      const abeam =
        apparentWind.speed * Math.sin(radians(apparentWind.angle)) - speedThroughWater * Math.sin(radians(leeway));
      expect(Math.hypot(ahead, abeam)).toBeCloseTo(trueWind.speed, 9);
      expect(half((Math.atan2(abeam, ahead) * 180) / Math.PI - trueWind.angle)).toBeCloseTo(0, 6);
      expect(half(heading + trueWind.angle - trueWind.direction)).toBeCloseTo(0, 6);
    }),
  );
});

test("voyageAt: what a seaman would believe, at any time", () => {
  fc.assert(
    fc.property(seconds, (time) => {
      const voyage = voyageAt(time);
      const within = (value: number, low: number, high: number): void => {
        expect(value).toBeGreaterThanOrEqual(low);
        expect(value).toBeLessThanOrEqual(high);
      };
      within(voyage.speedOverGround, 2, 3.6);
      within(voyage.speedThroughWater, 1.5, 4.2);
      within(Math.abs(voyage.leeway), 0, 8);
      within(Math.abs(voyage.rateOfTurn), 0, 8);
      within(voyage.depth, 6, 25);
      within(Math.abs(voyage.roll), 0, 22);
      within(voyage.apparentWind.speed, 0.5, 16);
      within(voyage.trueWind.speed, 3.5, 12);
      within(Math.abs(voyage.navigation.crossTrack), 0, 70);
      within(voyage.navigation.distance, 20, 1050);
      within(weatherAt(time).pressure, 98_000, 104_000);
    }),
  );
});

test("voyageAt is where it was a round ago", () => {
  expect(lengthOf(minus(voyageAt(100 + ROUND_SECONDS).place, voyageAt(100).place))).toBeLessThan(1e-6);
});

test("voyageAt: the apparent wind passes over the bow both ways within five minutes, and astern later", () => {
  let toStarboard = 0;
  let toPort = 0;
  for (let time = 0.1; time <= 300; time += 0.1) {
    const before = half(voyageAt(time - 0.1).apparentWind.angle);
    const after = half(voyageAt(time).apparentWind.angle);
    if (before < 0 && after >= 0) toStarboard++;
    if (before >= 0 && after < 0) toPort++;
  }
  expect(toStarboard).toBeGreaterThan(1);
  expect(toPort).toBeGreaterThan(1);
  const astern = Array.from({ length: 300 }, (_, second) => voyageAt(600 + second).apparentWind.angle);
  expect(astern.some((angle) => angle > 170 && angle < 180)).toBe(true);
  expect(astern.some((angle) => angle > 180 && angle < 190)).toBe(true);
});

test("voyageAt: the true heading is what the compass shows, with deviation and variation", () => {
  const { heading, compass, deviation, variation } = voyageAt(77);
  expect(half(compass + deviation + variation - heading)).toBeCloseTo(0, 9);
});

test("betterFix fails for its time in each ten minutes, comes back plain and then corrected", () => {
  for (const round of [0, OUTAGE_SECONDS.period]) {
    expect(betterFix(round + OUTAGE_SECONDS.from - 0.1).method).toBe(2);
    expect(betterFix(round + OUTAGE_SECONDS.from).method).toBe(0);
    expect(betterFix(round + OUTAGE_SECONDS.to - 0.1).method).toBe(0);
    expect(betterFix(round + OUTAGE_SECONDS.to).method).toBe(1);
    expect(betterFix(round + OUTAGE_SECONDS.to + 15).method).toBe(2);
  }
});

test("plainFix never fails and is the worse of the two", () => {
  fc.assert(
    fc.property(seconds, (time) => {
      const plain = plainFix(time);
      expect(plain.method).toBe(1);
      expect(plain.satellites).toBeGreaterThanOrEqual(5);
      expect(lengthOf(plain.error)).toBeLessThan(4);
      expect(lengthOf(betterFix(time).error)).toBeLessThan(0.8);
    }),
  );
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
