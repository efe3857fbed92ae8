/** Points of trends: from responses of the engine, good and broken, joined with what the page has heard. */
import { expect, test } from "vitest";
import type { Position } from "../../../../src/core/nav/great-circle.ts";
import { offsetFrom, placeAt, trackParts } from "../../../../src/web/display/trend/own-track.ts";
import { rangeNames, ranges, secondsOf } from "../../../../src/web/display/trend/ranges.ts";
import { History } from "../../../../src/web/display/trend/ring.ts";
import {
  joinPoints,
  readPoints,
  singleValue,
  type TrendPoint,
  unwrapped,
} from "../../../../src/web/display/trend/trend-points.ts";

/** Series of a metric, and their values: "100 5.5, 160 6". */
const matrix = (...series: readonly (readonly [metric: object, values: string])[]): unknown => ({
  status: "success",
  data: {
    resultType: "matrix",
    result: series.map(([metric, values]) => ({
      metric,
      values: values.split(", ").map((pair) => [Number.parseInt(pair, 10), pair.replace(/^\d+ /, "")]),
    })),
  },
});

test("a rollup is one line with its extremes", () => {
  const [avg, max, min] = ["avg", "max", "min"].map((rollup) => ({ rollup }));
  expect(readPoints(matrix([avg!, "100 5.5, 160 6"], [max!, "100 7, 160 6.5"], [min!, "100 4, 160 5"]))).toEqual([
    { at: 100, low: 4, value: 5.5, high: 7 },
    { at: 160, low: 5, value: 6, high: 6.5 },
  ]);
});

test("of several devices each time has one value: of the shown device, else of the one with the most points", () => {
  const body = matrix([{ address: "4" }, "100 1, 160 1, 220 1"], [{ address: "5" }, "160 2, 280 2"]);
  const values = (address?: number): readonly (number | null)[] => readPoints(body, address).map(({ value }) => value);
  expect(values()).toEqual([1, 1, 1, 2]);
  expect(values(5)).toEqual([1, 2, 1, 2]);
});

test.each([
  null,
  "text",
  [],
  {},
  { status: "error", error: "no" },
  { status: "success", data: { resultType: "vector", result: [] } },
  { status: "success", data: { resultType: "matrix", result: {} } },
  { status: "success", data: { resultType: "matrix", result: [{ metric: {}, values: [["1", 2]] }] } },
  { status: "success", data: { resultType: "matrix", result: [{ values: [] }] } },
  { status: "success", data: { resultType: "matrix", result: [{ metric: null, values: [] }] } },
  { status: "success", data: { resultType: "matrix", result: [null] } },
])("%j is no response", (body) => {
  expect(() => readPoints(body)).toThrow();
});

test("values that are no numbers are gaps, and a flood of points and series is cut", () => {
  expect(readPoints(matrix([{}, "1 NaN, 2 +Inf, 3 x, 4 5"]))).toEqual([singleValue(4, 5)]);
  const flood = Array.from({ length: 3000 }, (_, at) => `${at} 1`).join(", ");
  expect(readPoints(matrix(...Array.from({ length: 100 }, () => [{}, flood] as const))).length).toBe(2000);
});

const textOf = (points: readonly TrendPoint[]): string => points.map(({ at, value }) => `${at} ${value}`).join(", ");
const of = (...ats: readonly number[]): readonly TrendPoint[] => ats.map((at) => singleValue(at, at));

test("live points follow those of the engine, without a gap where they meet", () => {
  const joined = joinPoints(of(-120, -60), of(-80, -40, -2, 0), { step: 60, liveStep: 2, isLiveFirst: false });
  expect(textOf(joined)).toBe("-120 -120, -60 -60, -40 -40, -38 null, -2 -2, 0 0");
});

test("the engine fills what the page has not heard", () => {
  const joined = joinPoints(of(-60, -50, -40, -30, -20), of(-41, -39, 0), { step: 10, liveStep: 2, isLiveFirst: true });
  expect(joined.filter(({ value }) => value !== null).map(({ at }) => at)).toEqual([-60, -41, -39, -20, 0]);
});

test("a time without samples is a gap", () => {
  const joined = joinPoints(of(-300, -240, -60), [], { step: 60, liveStep: 2, isLiveFirst: false });
  expect(textOf(joined)).toBe("-300 -300, -240 -240, -180 null, -60 -60");
});

test("directions do not jump at north, across a gap too", () => {
  const points = [350, 358, 4, null, 356].map((value, at) => singleValue(at, value));
  expect(unwrapped(points).map(({ value }) => value)).toEqual([350, 358, 364, null, 356]);
});

test("a range has so many points that a screen shows them, and the hour has those of the lane", () => {
  for (const name of rangeNames) {
    const { span, step } = ranges[name];
    expect(secondsOf(span) / secondsOf(step), name).toBeGreaterThanOrEqual(60);
    expect(secondsOf(span) / secondsOf(step), name).toBeLessThanOrEqual(360);
  }
});

test("the track is of the history up to what was heard, in parts where positions are missing", () => {
  const now = 1e9;
  const line = (values: Readonly<Record<number, number>>): readonly TrendPoint[] =>
    Object.entries(values)
      .map(([at, value]) => singleValue(Number(at), value))
      .sort((a, b) => a.at - b.at);
  const latitudes = line({ "-600": 1, "-540": 2, "-300": 3, "-240": 4, "-60": 9 });
  const longitudes = line({ "-600": 11, "-540": 12, "-360": 7, "-300": 13, "-60": 9 });
  const heard = [120, 60, 0].map((before) => ({ latitude: before, longitude: 0, at: now - 1000 * before }));
  const parts = trackParts(latitudes, longitudes, heard, now);
  const latitudesOf = (part: readonly Position[]): readonly number[] => part.map(({ latitude }) => latitude);
  expect(parts.map(latitudesOf)).toEqual([[1, 2], [3], [120, 60, 0]]);
  expect(trackParts([], [], heard, now)).toHaveLength(1);
});

test("the ring of a page has no more than its minutes", () => {
  const history = new History(600, 2);
  for (let at = 0; at < 2000; at += 2) history.add(at, at);
  expect(history.points(1998).filter(({ value }) => value !== null).length).toBe(300);
});

test.each([
  ["at the equator", [0, 0], [1, 1], { east: 60, north: 60 }],
  ["where meridians are half as far apart", [60, 4], [60, 5], { east: 30, north: 0 }],
  ["in the south and west", [-60, -4], [-61, -5], { east: -30, north: -60 }],
  ["across the date line", [60, 179.5], [60, -179.5], { east: 30, north: 0 }],
] as const)("the way from a place to another, and back, %s", (_where, [latitude, longitude], to, { east, north }) => {
  const from = { latitude, longitude };
  const offset = offsetFrom(from, { latitude: to[0], longitude: to[1] });
  expect(offset.east).toBeCloseTo(east, 9);
  expect(offset.north).toBeCloseTo(north, 9);
  const back = placeAt(from, offset.east, offset.north);
  expect(back.latitude).toBeCloseTo(to[0], 9);
  expect(back.longitude).toBeCloseTo(to[1], 9);
});
