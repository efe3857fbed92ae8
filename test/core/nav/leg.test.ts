/** The way to a waypoint, beside the geodesic of the ellipsoid. */
import { Geodesic } from "geographiclib-geodesic";
import { expect, test } from "vitest";
import { legValues } from "../../../src/core/nav/leg.ts";

const from = { latitude: 52, longitude: 4 };
const to = { latitude: 52, longitude: 5 };
const MILE = 1852;

test("distance, bearing and track agree with the ellipsoid", () => {
  const position = { latitude: 52.05, longitude: 4.4 };
  const { distance, bearing, track, fromStart } = legValues({ from, to, position });
  const way = Geodesic.WGS84.Inverse(position.latitude, position.longitude, to.latitude, to.longitude);
  expect((distance * MILE) / way.s12!).toBeCloseTo(1, 2);
  expect(bearing).toBeCloseTo(way.azi1!, 0);
  const leg = Geodesic.WGS84.Inverse(from.latitude, from.longitude, to.latitude, to.longitude);
  expect(track).toBeCloseTo(leg.azi1!, 0);
  const start = Geodesic.WGS84.Inverse(from.latitude, from.longitude, position.latitude, position.longitude);
  expect((fromStart! * MILE) / start.s12!).toBeCloseTo(1, 2);
});

test.each([
  ["on", 0, 0],
  ["a mile to the right of", 90, 1],
  ["a mile to the left of", -90, -1],
])("a boat %s the great circle", (_where, aside, expected) => {
  // A place on the leg, and from there across it.
  const leg = Geodesic.WGS84.Inverse(from.latitude, from.longitude, to.latitude, to.longitude);
  const middle = Geodesic.WGS84.Direct(from.latitude, from.longitude, leg.azi1!, leg.s12! / 2);
  const { lat2, lon2 } = Geodesic.WGS84.Direct(
    middle.lat2!,
    middle.lon2!,
    middle.azi2! + aside,
    aside === 0 ? 0 : MILE,
  );
  const position = { latitude: lat2!, longitude: lon2! };
  const { crossTrack, isPassed } = legValues({ from, to, position });
  expect(crossTrack).toBeCloseTo(expected, 1);
  expect(isPassed).toBe(false);
});

test("the perpendicular is crossed beyond the waypoint, beside it too", () => {
  const isPassed = (latitude: number, longitude: number) =>
    legValues({ from, to, position: { latitude, longitude } }).isPassed;
  expect([isPassed(52.01, 4.99), isPassed(52.01, 5.01), isPassed(51.9, 5.02), isPassed(52, 3.9)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test("speed towards the waypoint and time to go", () => {
  const near = { to: { latitude: 53, longitude: 4 }, position: from };
  expect(legValues({ ...near, cog: 60, sog: 6 })).toMatchObject({
    velocityMadeGood: expect.closeTo(3, 6),
    timeToGo: expect.closeTo(60.04 / 3, 2),
  });
  const away = legValues({ ...near, cog: 180, sog: 6 });
  expect(away.velocityMadeGood).toBeCloseTo(-6, 6);
  expect(away.timeToGo).toBeUndefined();
  expect(legValues({ ...near, cog: null, sog: 6 })).not.toHaveProperty("velocityMadeGood");
});

test("a leg without a length, and none at all, have no track", () => {
  const values = legValues({ from: to, to, position: from });
  expect(values).not.toHaveProperty("crossTrack");
  expect(values.isPassed).toBe(false);
  expect(legValues({ to, position: from })).not.toHaveProperty("fromStart");
});
