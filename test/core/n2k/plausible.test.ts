import { expect, test } from "vitest";
import { definitions } from "../../../src/core/n2k/pgns/index.ts";
import { exceedsVoltAmperes, isImplausible } from "../../../src/core/n2k/plausible.ts";

test.each([
  // Seen on boats: all ones in a signed field, an empty slot of a tank sender, milliwatts, a sensor that is not there.
  [127489, "fuelRateLh", { fuelRateLh: -0.1 }],
  [127489, "loadPercent", { loadPercent: -1 }],
  [127508, "temperatureC", { temperatureC: 128 }],
  [127505, "levelPercent", { levelPercent: 0, capacityLiters: 0 }],
  [127505, "capacityLiters", { levelPercent: 0, capacityLiters: 0 }],
  [127503, "line1RealPowerW", { line1VoltageV: 228, line1CurrentA: 5.3, line1RealPowerW: 1_201_682 }],
  [130312, "actualTempC", { source: "Sea Temperature", actualTempC: -24.1 }],
  [130316, "actualTempC", { source: "Sea Temperature", actualTempC: -24.1 }],
  [127506, "stateOfChargePercent", { stateOfChargePercent: 101 }],
])("%s %s of %o cannot be", (pgn, member, data) => {
  expect(isImplausible(pgn, member, { pgn, ...data })).toBe(true);
});

test.each([
  [127489, "fuelRateLh", { fuelRateLh: 0 }],
  [127489, "coolantTempC", { coolantTempC: 120 }],
  [127508, "temperatureC", { temperatureC: 60 }],
  [127508, "currentA", { currentA: -400 }],
  [127505, "levelPercent", { levelPercent: 0 }],
  [127505, "levelPercent", { levelPercent: 100.4, capacityLiters: 400 }],
  [127503, "line1RealPowerW", { line1VoltageV: 228, line1CurrentA: 5.3, line1RealPowerW: 1202 }],
  [127503, "line1RealPowerW", { line1VoltageV: 228, line1CurrentA: 0, line1RealPowerW: 30 }],
  [127503, "line1RealPowerW", { line1RealPowerW: 1_201_682 }],
  [130312, "actualTempC", { source: "Freezer Temperature", actualTempC: -24.1 }],
  [130312, "actualTempC", { source: "Exhaust Gas Temperature", actualTempC: 400 }],
  [127250, "headingDeg", { headingDeg: 400 }],
])("%s %s of %o may be", (pgn, member, data) => {
  expect(isImplausible(pgn, member, { pgn, ...data })).toBe(false);
});

test("power beside no current", () => {
  expect(exceedsVoltAmperes(3789, 230, 0)).toBe(true);
  expect(exceedsVoltAmperes(3789, 230, undefined)).toBe(false);
});

test("each member that is judged is a number of its message", () => {
  for (const { pgn, fields } of definitions)
    for (const name of Object.keys(fields)) expect(isImplausible(pgn, name, { pgn, [name]: undefined })).toBe(false);
});
