import { expect, test } from "vitest";
import { worldMagneticModel } from "../../../src/adapters/node/magnetic-model.ts";

// Test values of the World Magnetic Model 2025, published with it (NOAA NCEI, WMM2025 test values, height 0,
// declination).
test.each([
  [80, 0, 1.28],
  [0, 120, -0.16],
  [-80, 240, 68.78],
])("worldMagneticModel gives the published declination at %d, %d in 2025", async (latitude, longitude, declination) => {
  const variation = await worldMagneticModel();
  const { degrees, model } = variation(latitude, longitude, Date.UTC(2025, 0, 1))!;
  expect(model).toBe("WMM 2025");
  expect(degrees).toBeCloseTo(declination, 1);
});

test("worldMagneticModel knows nothing of days that no model covers", async () => {
  const variation = await worldMagneticModel();
  expect(variation(52, 4, Date.UTC(2000, 0, 1))).toBeUndefined();
  expect(variation(52, 4, Date.UTC(2100, 0, 1))).toBeUndefined();
});
