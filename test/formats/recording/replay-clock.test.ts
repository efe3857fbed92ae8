import fc from "fast-check";
import { expect, test } from "vitest";
import { ReplayClock } from "../../../src/formats/recording/replay-clock.ts";

/** The times of the clock for stamps, both in seconds. */
function shows(...stamps: readonly number[]): number[] {
  const clock = new ReplayClock();
  return stamps.map((stamp) => clock.advance(stamp * 1e6) / 1e6);
}

test("ReplayClock begins at zero and moves with the stamps", () => {
  expect(shows(1436509052, 1436509052, 1436509053.5, 1436509113.5)).toEqual([0, 0, 1.5, 61.5]);
  expect(shows(-5, 0)).toEqual([0, 5]);
});

test("ReplayClock does not move when stamps step forward by more than 60 s, and goes on from there", () => {
  expect(shows(100, 101, 161.1, 162, 1_000_000, 1_000_001)).toEqual(
    [0, 1, 1, 1.9, 1.9, 2.9].map((n) => expect.closeTo(n)),
  );
});

test("ReplayClock does not move when stamps step back by more than 60 s, and goes on from there", () => {
  expect(shows(1000, 1001, 900, 901, 902)).toEqual([0, 1, 1, 2, 3]);
});

test("ReplayClock stands while lines come late and counts no time twice", () => {
  expect(shows(100, 101, 90, 101.5, 100, 70, 95, 102)).toEqual([0, 1, 1, 1.5, 1.5, 1.5, 1.5, 2]);
});

test("ReplayClock follows a clock that was set back, after a second", () => {
  expect(shows(100, 101, 91, 91.4, 91.8, 92, 92.5, 101)).toEqual([0, 1, 1, 1, 1, 1, 1.5, 10]);
});

test("ReplayClock does not add up late lines to a clock that was set back", () => {
  expect(shows(100, 99.3, 100.1, 99.9, 100.2, 100.1, 100.3)).toEqual(
    [0, 0, 0.1, 0.1, 0.2, 0.2, 0.3].map((n) => expect.closeTo(n)),
  );
});

test("ReplayClock never moves back, nor by more than 60 s, whatever the stamps", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.integer(), fc.integer({ min: 0, max: 2e8 }))), (stamps) => {
      const clock = new ReplayClock();
      let last = 0;
      for (const stamp of stamps) {
        const now = clock.advance(stamp);
        expect(now).toBeGreaterThanOrEqual(last);
        expect(now - last).toBeLessThanOrEqual(60_000_000);
        last = now;
      }
    }),
  );
});

test("ReplayClock shows the span of stamps that are in order", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 60_000_000 })), (steps) => {
      const clock = new ReplayClock();
      let stamp = 1e15;
      clock.advance(stamp);
      for (const step of steps) {
        stamp += step;
        expect(clock.advance(stamp)).toBe(stamp - 1e15);
      }
    }),
  );
});
