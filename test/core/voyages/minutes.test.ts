import { expect, test } from "vitest";
import { Minutes } from "../../../src/core/voyages/minutes.ts";

test("time under way is under sail while no engine runs, and is that of each engine that does, with its fuel", () => {
  const minutes = new Minutes();
  const hour = (isUnderway: boolean, ...running: readonly (readonly [string, number | undefined])[]): void =>
    minutes.add({ ms: 3_600_000, isUnderway, conditions: { stw: 6 }, running: new Map(running) });
  hour(true);
  hour(true, ["0", 4]);
  hour(true, ["0", 4], ["1", undefined]);
  hour(false, ["1", undefined]);
  expect(minutes.sums).toEqual({
    ...{ seconds: 14_400, restSeconds: 3600, sailSeconds: 3600, waterMiles: 18, maxStw: 6 },
    ...{ engineSeconds: { 0: 7200, 1: 7200 }, fuelLitres: 8 },
  });
});
