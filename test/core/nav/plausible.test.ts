/** Values that cannot be win no selection, and are published as they came where there is no other. */
import { describe, expect, test } from "vitest";
import type { NavigatorMessage } from "../../../src/core/nav/messages.ts";
import type { NavigationData } from "../../../src/core/nav/navigation-report.ts";
import { course, createBoat, log, wind } from "./boat.ts";

type Make = (value: number) => NavigatorMessage;

const temperature =
  (source: "Sea Temperature" | "Outside Temperature"): Make =>
  (actualTempC) => ({ pgn: 130316, source, actualTempC });

const quantities: readonly (readonly [string, Make, good: number, bad: number, (data: NavigationData) => unknown])[] = [
  ["depth", (depthM) => ({ pgn: 128267, depthM }), 12, 40_000, (data) => data.depth_water?.depth],
  ["speed over ground", (knots) => course(90, knots), 6, 1200, (data) => data.speed_course?.sog],
  ["speed through water", log, 5, 400, (data) => data.speed_course?.speedThroughWater],
  [
    "rate of turn",
    (rateDegPerSec) => ({ pgn: 127251, rateDegPerSec }),
    3,
    1800,
    (data) => data.speed_course?.rateOfTurn,
  ],
  ["leeway", (leewayDeg) => ({ pgn: 128000, leewayDeg }), 4, -170, (data) => data.speed_course?.leeway],
  ["apparent wind", (knots) => wind(2, knots, 40), 14, 1100, (data) => data.wind_apparent?.speed],
  ["true wind", (knots) => wind(4, knots, 40), 11, 1100, (data) => data.wind_true?.speed],
  ["water", temperature("Sea Temperature"), 16, -24.1, (data) => data.depth_water?.waterTemperature],
  ["air", temperature("Outside Temperature"), 21, 300, (data) => data.depth_water?.outsideTemperature],
  [
    "air pressure",
    (pressurePa) => ({ pgn: 130314, source: "Atmospheric", pressurePa }),
    101_300,
    2_000_000,
    (data) => data.depth_water?.atmosphericPressure,
  ],
];

describe.each(quantities)("%s", (_, make, good, bad, read) => {
  test("that cannot be is published where it is the only one", () => {
    const boat = createBoat();
    expect(read(boat.sail(2000, () => boat.say(3, make(bad))))).toBe(bad);
  });

  test("that cannot be loses against a source that was heard later, and wins again five seconds after it is right", () => {
    const boat = createBoat();
    const both = (first: number) => () => {
      boat.say(3, make(first));
      boat.say(4, make(good));
    };
    expect(read(boat.sail(1000, both(bad)))).toBe(good);
    const right = good + 1;
    expect(read(boat.sail(4000, both(right)))).toBe(good);
    expect(read(boat.sail(3000, both(right)))).toBe(right);
    expect(read(boat.sail(200, both(bad)))).toBe(good);
  });
});
