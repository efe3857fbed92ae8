import { expect, test } from "vitest";
import { Stillness } from "../../../src/core/alarms/situation.ts";

type Leg = readonly [knots: number | undefined, seconds: number, throughWater?: number];

/** Speeds in knots, each for so many seconds; whether the boat lies still at the end of each. */
function sail(...speeds: readonly Leg[]): readonly boolean[] {
  const stillness = new Stillness();
  let now = 0;
  return speeds.map(([knots, seconds, throughWater]) => {
    let isStill = false;
    for (let second = 0; second < seconds; second++, now += 1000) isStill = stillness.observe(knots, throughWater, now);
    return isStill;
  });
}

test("a boat lies still two minutes after she has become slow, and is under way ten seconds after she has become fast", () => {
  expect(sail([5, 10], [0.9, 120], [0.9, 1])).toEqual([false, false, true]);
  expect(sail([0, 10], [1, 10], [1, 1])).toEqual([true, true, false]);
});

test("the time counts in a row: slow stretches of a boat under way add up to no stillness, nor gusts at the berth to a voyage", () => {
  expect(sail([5, 10], [0.5, 100], [5, 2], [0.5, 100])).toEqual([false, false, false, false]);
  expect(sail([0, 10], [2, 8], [0, 2], [2, 8])).toEqual([true, true, true, true]);
});

test("a boat whose speed is not known stays what she was", () => {
  expect(sail([undefined, 300])).toEqual([false]);
  expect(sail([0, 10], [undefined, 300])).toEqual([true, true]);
  expect(sail([5, 10], [undefined, 300, 0])).toEqual([false, false]);
});

test("a boat that lay still when she lost her speed is under way by ten seconds of way through the water", () => {
  expect(sail([0, 10], [undefined, 10, 1], [undefined, 1, 1], [undefined, 300, 0])).toEqual([true, true, false, false]);
  expect(sail([0, 10], [undefined, 8, 2], [undefined, 2, 0.5], [undefined, 8, 2])).toEqual([true, true, true, true]);
});

test("a current that passes the log of a boat that lies still is no way", () => {
  expect(sail([0.2, 300, 2], [undefined, 300, 2.9], [undefined, 11, 6])).toEqual([true, true, false]);
});
