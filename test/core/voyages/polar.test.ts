import { expect, test } from "vitest";
import { VoyageKeeper } from "../../../src/core/voyages/keeper.ts";
import type { TrackLine } from "../../../src/core/voyages/lines.ts";
import { type LeftOutReason, PolarSums } from "../../../src/core/voyages/polar.ts";
import { polarCsv } from "../../../src/formats/tracks/polar-csv.ts";
import { sailing } from "./boat.ts";

const sailed: TrackLine = {
  ...{ line: "track", time: 1, points: [], seconds: 60, restSeconds: 0, engineSeconds: {} },
  ...{ windSpeed: 12, windAngle: -44, stw: 6, turned: 8 },
};
const without = (name: keyof TrackLine): TrackLine => {
  const { [name]: _, ...rest } = sailed;
  return rest as TrackLine;
};

test("both sides count together, by ten degrees and Beaufort, with the mean by time and the greatest", () => {
  const sums = new PolarSums();
  for (const line of [sailed, { ...sailed, windAngle: 36, seconds: 30, stw: 7.5 }, { ...sailed, windAngle: 180 }])
    sums.add(line);
  expect(sums.polar).toEqual({
    cells: [
      { angle: 40, force: 4, seconds: 90, knots: 6.5, greatest: 7.5 },
      { angle: 180, force: 4, seconds: 60, knots: 6, greatest: 6 },
    ],
    leftOut: [],
  });
});

test.each<[LeftOutReason, TrackLine]>([
  ["at rest", { ...sailed, restSeconds: 1 }],
  ["engine on", { ...sailed, engineSeconds: { "1": 0.5 } }],
  ["no true wind", without("windAngle")],
  ["no true wind", without("windSpeed")],
  ["no speed through the water", without("stw")],
  ["no heading", without("turned")],
  ["turning", { ...sailed, turned: 31 }],
  ["too few seconds", { ...sailed, seconds: 29 }],
])("%s is left out, and said: %#", (reason, line) => {
  const sums = new PolarSums();
  sums.add(line);
  expect(sums.polar).toEqual({ cells: [], leftOut: [{ reason, seconds: line.seconds }] });
});

test("a boat that sails, motors and tacks has the speeds of its sailing alone", () => {
  const sums = new PolarSums();
  const keeper = new VoyageKeeper(3_600_000);
  const plan = [
    { seconds: 600, knots: 4, engine: true },
    { seconds: 1800, knots: 6, wind: 14 },
    { seconds: 900, knots: 6, course: 90, wind: 14 },
    { seconds: 1200, knots: 0 },
  ];
  for (const observation of sailing(plan)) {
    const values = "values" in observation ? { ...observation.values, heading: observation.values.cog! } : undefined;
    const heard = values === undefined ? observation : { ...observation, values };
    for (const line of keeper.hear(heard as typeof observation)) if (line.line === "track") sums.add(line);
  }
  const { cells, leftOut } = sums.polar;
  expect(cells).toMatchObject([{ angle: 40, force: 4, knots: 6, greatest: 6 }]);
  expect(cells[0]!.seconds).toBeGreaterThan(2500);
  expect(cells[0]!.seconds).toBeLessThanOrEqual(2700);
  expect(leftOut.map(({ reason }) => reason)).toEqual(["at rest", "engine on", "turning"]);
  expect(polarCsv(sums.polar)).toMatch(
    /^true wind angle deg,force Bft,hours,mean speed through water kn,greatest kn,left out\r\n40,4,0\.7\d,6,6,\r\n,,0\.\d\d,,,at rest\r\n/,
  );
});
