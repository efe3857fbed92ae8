import { expect, test } from "vitest";
import { differencesOf } from "../../../src/core/findings/baseline.ts";

test("a device that has just come back has three minutes to send all that it sent", () => {
  const baseline = { takenAt: "2026-11-21T08:14:26Z", devices: [{ name: "7", pgns: [127_505] }] };
  const silentAt = (now: number): readonly number[] => {
    const device = { name: 7n, first: 900_000, last: now };
    return differencesOf(baseline, [device as never], [], now, 0).silent.map(({ pgn }) => pgn);
  };
  expect(silentAt(1_079_000)).toEqual([]);
  expect(silentAt(1_080_000)).toEqual([127_505]);
});
