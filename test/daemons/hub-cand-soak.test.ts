/** Hours of bus time in seconds: hub-cand does not grow. `npm run soak` is the long way. */
import { expect, test } from "vitest";

interface Reading {
  readonly hour: number;
  readonly megabytes: number;
}

const { growth, replaySoak } = (await import("../../bench/soak.mjs" as string)) as {
  replaySoak(
    hours: number,
  ): Promise<{ frames: number; counted: Readonly<Record<string, number>>; readings: readonly Reading[] }>;
  growth(readings: readonly Reading[]): number;
};

/** Megabytes an hour of bus time; in three hours what fills once weighs more than in the 24 that are held to one. */
const MOST = 3;

test("a replay takes every frame of three hours of a bus, and does not grow", async () => {
  const { frames, counted, readings } = await replaySoak(3);
  expect(frames).toBeGreaterThan(3_000_000);
  expect(counted.frames).toBe(frames);
  expect(growth(readings), JSON.stringify(readings)).toBeLessThan(MOST);
}, 600_000);
