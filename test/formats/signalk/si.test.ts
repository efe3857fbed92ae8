/** Conversions to SI units, by the definitions of the units. */
import { expect, test } from "vitest";
import { conversionOf, toSi } from "../../../src/formats/signalk/si.ts";

test.each([
  [50, "%", 0.5, "ratio"],
  [120, "L", 0.12, "m3"],
  [36, "L/h", 1e-5, "m3/s"],
  [2, "NM", 3704, "m"],
  [180, "deg", Math.PI, "rad"],
  [180, "deg/min", Math.PI / 60, "rad/s"],
  [180, "deg/s", Math.PI, "rad/s"],
  [2, "h", 7200, "s"],
  [250, "kPa", 250_000, "Pa"],
  [3600, "kn", 1852, "m/s"],
  [2, "min", 120, "s"],
  [1800, "rpm", 30, "Hz"],
  [-273.15, "°C", 0, "K"],
  [12.5, "V", 12.5, "V"],
  [4, "", 4, undefined],
])("%s %s are %s %s", (value, unit, expected, units) => {
  const conversion = conversionOf(unit);
  expect(toSi(value, conversion)).toBeCloseTo(expected, 8);
  expect(conversion.units).toBe(units);
});

test("a unit that is not in the table is a mistake of the table of paths", () => {
  for (const unit of ["furlong", "__proto__"]) expect(() => conversionOf(unit)).toThrow(`no SI unit for ${unit}`);
});
