import { expect, test } from "vitest";
import {
  chargerStateAt,
  engineAt,
  houseBatteryAt,
  starterBatteryAt,
  switchesAt,
  tanksAt,
} from "../../../src/services/simulation/machinery.ts";
import { ROUND_SECONDS } from "../../../src/services/simulation/voyage.ts";

const every = (step: number, until: number): number[] =>
  Array.from({ length: until / step }, (_, index) => index * step);

test("engineAt starts and stops once a round, and does not turn while it is stopped", () => {
  let starts = 0;
  let stops = 0;
  for (const seconds of every(1, 3 * ROUND_SECONDS)) {
    const before = engineAt(seconds).running;
    const after = engineAt(seconds + 1).running;
    if (!before && after) starts++;
    if (before && !after) stops++;
    if (!before) expect(engineAt(seconds)).toMatchObject({ rpm: 0, oilPressure: 0, fuelRate: 0, gear: "Neutral" });
  }
  expect([starts, stops]).toEqual([3, 3]);
});

test("engineAt warms and cools without a jump, and never boils", () => {
  for (const seconds of every(0.5, 2 * ROUND_SECONDS)) {
    const { coolantTemperature } = engineAt(seconds);
    expect(Math.abs(engineAt(seconds + 0.5).coolantTemperature - coolantTemperature)).toBeLessThan(0.5);
    expect(coolantTemperature).toBeGreaterThan(30);
    expect(coolantTemperature).toBeLessThan(90);
  }
});

test("engineAt counts hours while it runs and only then", () => {
  for (const seconds of every(7, 2 * ROUND_SECONDS)) {
    const gained = 3600 * (engineAt(seconds + 1).hours - engineAt(seconds).hours);
    const both = [engineAt(seconds).running, engineAt(seconds + 1).running];
    if (both.every(Boolean)) expect(gained).toBeCloseTo(1, 6);
    else if (!both.some(Boolean)) expect(gained).toBe(0);
  }
});

test("houseBatteryAt is as full as it was a round ago, charged while the engine runs", () => {
  expect(houseBatteryAt(500 + ROUND_SECONDS).charge).toBeCloseTo(houseBatteryAt(500).charge, 9);
  for (const seconds of every(3, ROUND_SECONDS)) {
    const { current, voltage } = houseBatteryAt(seconds);
    expect(Math.sign(current)).toBe(engineAt(seconds).running ? 1 : -1);
    expect(voltage).toBeGreaterThan(12);
    expect(voltage).toBeLessThan(14.6);
    expect(chargerStateAt(seconds) === "Not charging").toBe(!engineAt(seconds).running);
  }
});

test("starterBatteryAt drops when the engine is started", () => {
  const lowest = Math.min(...every(0.1, ROUND_SECONDS).map((seconds) => starterBatteryAt(seconds).voltage));
  expect(lowest).toBeLessThan(11.5);
});

test("tanksAt are never emptier than empty or fuller than full", () => {
  for (const seconds of every(3571, 30 * 86_400)) {
    for (const { level } of tanksAt(seconds)) {
      expect(level).toBeGreaterThan(0);
      expect(level).toBeLessThan(100);
    }
  }
});

test("switchesAt go on and off, and one is blown", () => {
  const pump = every(1, 300).map((seconds) => switchesAt(seconds)[2]!.status);
  expect(pump.filter((status) => status === "On")).toHaveLength(12);
  expect(switchesAt(5)[6]).toEqual({ switch: 7, status: "Error" });
});
