import { expect, test } from "vitest";
import { differencesOf } from "../../../src/core/findings/baseline.ts";

test("a device that has just come back has three minutes to send all that it sent", () => {
  const baseline = { takenAt: "2026-11-21T08:14:26Z", devices: [{ name: "7", pgns: [127_505] }] };
  const silentAt = (now: number): readonly number[] => {
    const devices = [{ name: 7n, first: 0, awayAt: 900_000, last: now }] as never;
    const present = { devices, streams: [], now, startedAt: 0, silenceOf: () => 0, namesOf: undefined };
    return differencesOf(baseline, present).silent.map(({ pgn }) => pgn);
  };
  expect(silentAt(1_079_000)).toEqual([]);
  expect(silentAt(1_080_000)).toEqual([127_505]);
});
