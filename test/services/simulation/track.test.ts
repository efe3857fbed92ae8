import fc from "fast-check";
import { expect, test } from "vitest";
import { half, lengthOf, minus, polar } from "../../../src/services/simulation/plane.ts";
import { closedTrack } from "../../../src/services/simulation/track.ts";

const square = [
  { north: 0, east: 0 },
  { north: 1000, east: 0 },
  { north: 1000, east: 1000 },
  { north: 0, east: 1000 },
];

test("closedTrack rounds each corner of a square with a quarter circle", () => {
  const track = closedTrack(square, 100);
  expect(track.length).toBeCloseTo(4 * 800 + 2 * Math.PI * 100, 9);
  expect(track.at(0).place.north).toBeCloseTo(100, 9);
  expect(track.at(0).course).toBe(0);
  const middleOfArc = track.at(800 + 25 * Math.PI);
  expect(middleOfArc.course).toBeCloseTo(45, 9);
  expect(lengthOf(minus(middleOfArc.place, { north: 900, east: 100 }))).toBeCloseTo(100, 9);
  expect(middleOfArc.leg).toBe(1);
});

test("closedTrack turns to port where the corners do", () => {
  const track = closedTrack(square.toReversed(), 100);
  expect(half(track.at(800 + 25 * Math.PI).course - track.at(0).course)).toBeCloseTo(-45, 9);
});

test("closedTrack refuses legs that have no room for their corners", () => {
  expect(() => closedTrack(square, 501)).toThrow(RangeError);
});

test("closedTrack is as long as the way along it, and its course points along it, anywhere", () => {
  const track = closedTrack(square, 60);
  fc.assert(
    fc.property(fc.double({ min: -5000, max: 50_000, noNaN: true }), (way) => {
      const step = 0.01;
      const moved = minus(track.at(way + step).place, track.at(way).place);
      const expected = polar(step, track.at(way).course);
      expect(lengthOf(minus(moved, expected))).toBeLessThan(1e-5);
      expect(lengthOf(minus(track.at(way + track.length).place, track.at(way).place))).toBeLessThan(1e-6);
    }),
  );
});
