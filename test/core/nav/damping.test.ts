import { expect, test } from "vitest";
import { WindDamper } from "../../../src/core/nav/damping.ts";

const damperAt = (speed: number, angle: number) => {
  const damper = new WindDamper(3000);
  damper.restart({ speed, angle }, 0);
  return damper;
};

test("after one time constant 63 % of a step are taken in", () => {
  const damper = damperAt(10, 0);
  damper.step({ speed: 20, angle: 90 }, 2000, 2);
  const gain = 1 - Math.exp(-1);
  expect(damper.wind.speed).toBeCloseTo(10 + 10 * gain, 9);
  // The vector is (1 - gain, gain), shorter than one.
  expect(damper.wind.angle).toBeCloseTo((Math.atan2(gain, 1 - gain) * 180) / Math.PI, 9);
});

test("two steps of a second are one of two seconds", () => {
  const once = damperAt(10, 0);
  const twice = damperAt(10, 0);
  once.step({ speed: 20, angle: 100 }, 2000, 5);
  twice.step({ speed: 20, angle: 100 }, 1000, 5);
  twice.step({ speed: 20, angle: 100 }, 2000, 5);
  expect(twice.wind.speed).toBeCloseTo(once.wind.speed!, 9);
  // Only a vector that is not made long again between the steps comes out the same.
  expect(twice.wind.angle).toBeCloseTo(once.wind.angle!, 9);
});

test("the mean of 359 and 1 is 0, not 180", () => {
  const damper = damperAt(5, 359);
  damper.step({ speed: 5, angle: 1 }, Math.LN2 * 2000, 2); // a gain of one half
  expect(damper.wind.angle).toBeCloseTo(0, 9);
});

test("an angle that goes back and forth over ±180 stays there", () => {
  const damper = damperAt(5, 179);
  for (let at = 100; at < 5000; at += 100) {
    damper.step({ speed: 5, angle: at % 200 === 0 ? 179 : 181 }, at, 2);
    expect(Math.abs(damper.wind.angle!)).toBeGreaterThan(178.9);
  }
});

test("begins anew after a gap", () => {
  const damper = damperAt(10, 0);
  damper.step({ speed: 20, angle: 90 }, 3001, 60);
  expect(damper.wind.speed).toBe(20);
  expect(damper.wind.angle).toBeCloseTo(90, 9);
});

test("a member that is missing is missing, and begins anew when it is back", () => {
  const damper = damperAt(10, 0);
  damper.step({ speed: undefined, angle: 0 }, 100, 2);
  expect(damper.wind).toEqual({ speed: undefined, angle: 0 });
  damper.step({ speed: 30, angle: undefined }, 200, 2);
  expect(damper.wind).toEqual({ speed: 30, angle: undefined });
});
