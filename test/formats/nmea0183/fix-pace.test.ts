import { expect, test } from "vitest";
import { FixPace } from "../../../src/formats/nmea0183/fix-pace.ts";

/** The arrivals of positions after which sentences are due. */
function dueOf(arrivals: readonly number[]): number[] {
  const pace = new FixPace();
  return arrivals.filter((cameMs) => pace.isDue(cameMs));
}

const every = (ms: number, count: number): number[] => Array.from({ length: count }, (_, index) => index * ms);

test("ten positions a second give one a second", () => {
  expect(dueOf(every(100, 31))).toEqual([0, 1000, 2000, 3000]);
});

test("each position of a receiver that sends one a second is due, whether it comes a little early or late", () => {
  const arrivals = [0, 940, 2060, 2950, 4040, 4900];
  expect(dueOf(arrivals)).toEqual(arrivals);
});

test("reports of one position, which seem to differ a little in when it came, are due once", () => {
  expect(dueOf([0, 5, 30, 12, 1000, 1018, 1003, 2000])).toEqual([0, 1000, 2000]);
});

test("each position of a slow receiver is due, and the rate is as before after a pause", () => {
  expect(dueOf([0, 2500, 5000])).toEqual([0, 2500, 5000]);
  expect(dueOf([0, 100, 9000, 9100, 9200, ...every(100, 12).map((ms) => 9300 + ms)])).toEqual([0, 9000, 10_000]);
});
