/** Day and night against published times of sunrise and sunset, which are rounded to the minute. */
import { expect, test } from "vitest";
import { hasTurned, isNight } from "../../../src/core/nav/sun.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Two minutes: places are rounded, and so are the times. */
const NEAR_MS = 2 * MINUTE_MS;

const places = {
  london: [51.507, -0.128],
  newYork: [40.713, -74.006],
  honolulu: [21.307, -157.858],
  tokyo: [35.69, 139.692],
  sydney: [-33.869, 151.209],
  auckland: [-36.85, 174.763],
  reykjavik: [64.147, -21.942],
  tromso: [69.649, 18.956],
  mcMurdo: [-77.846, 166.676],
  northPole: [90, 0],
  southPole: [-90, 0],
} as const;

test.each([
  ["london", "2024-06-20T03:43Z", "2024-06-20T20:21Z"],
  ["london", "2024-12-21T08:04Z", "2024-12-21T15:53Z"],
  ["newYork", "2024-06-20T09:25Z", "2024-06-21T00:31Z"],
  ["honolulu", "2024-06-20T15:50Z", "2024-06-21T05:16Z"],
  ["tokyo", "2024-06-20T19:26Z", "2024-06-21T10:00Z"],
  ["sydney", "2024-12-20T18:41Z", "2024-12-21T09:05Z"],
  ["auckland", "2024-12-20T16:58Z", "2024-12-21T07:39Z"],
  ["reykjavik", "2024-06-21T02:55Z", "2024-06-22T00:03Z"],
] as const)("%s: sunrise at %s, sunset at %s", (place, sunrise, sunset) => {
  const [latitude, longitude] = places[place];
  const around = (event: string): readonly boolean[] =>
    [-NEAR_MS, NEAR_MS].map((offset) => isNight(latitude, longitude, Date.parse(event) + offset));
  expect([around(sunrise), around(sunset)]).toEqual([
    [true, false],
    [false, true],
  ]);
});

test.each([
  ["tromso", "2024-06-20", false],
  ["tromso", "2024-12-21", true],
  ["mcMurdo", "2024-12-21", false],
  ["mcMurdo", "2024-06-20", true],
  ["northPole", "2024-04-01", false],
  ["northPole", "2024-10-01", true],
  ["southPole", "2024-10-01", false],
  ["southPole", "2024-04-01", true],
] as const)("%s, all of %s: night %s", (place, day, night) => {
  const [latitude, longitude] = places[place];
  for (let hour = 0; hour < 24; hour++)
    expect(isNight(latitude, longitude, Date.parse(day) + hour * HOUR_MS)).toBe(night);
});

const [latitude, longitude] = places.london;
const at = (time: string): number => Date.parse(`2024-12-${time}Z`);

test.each([
  ["within a night", "20T22:00", "21T06:00", false],
  ["over a sunrise", "21T06:00", "21T09:00", true],
  ["over a sunset", "21T15:00", "21T16:00", true],
  ["over a whole day, from night to night", "21T07:50", "21T16:10", true],
  ["over a whole night, from day to day", "21T15:30", "22T09:00", true],
  ["at the same time", "21T12:00", "21T12:00", false],
  ["by a clock that is a little ahead", "21T12:10", "21T12:00", false],
  ["by a clock that was set back", "23T12:00", "21T12:00", true],
] as const)("the sun of London %s", (_name, from, to, turned) => {
  expect(hasTurned(latitude, longitude, at(from), at(to))).toBe(turned);
});
