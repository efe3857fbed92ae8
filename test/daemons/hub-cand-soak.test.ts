/** Hours of bus time in seconds: hub-cand does not grow. `npm run soak` is the long way. */
import { expect, test } from "vitest";

interface Reading {
  readonly hour: number;
  /** Megabytes. */
  readonly resident: number;
  readonly heap: number;
}

const { growth, replaySoak } = (await import("../../bench/soak.mjs" as string)) as {
  replaySoak(
    hours: number,
  ): Promise<{ frames: number; counted: Readonly<Record<string, number>>; readings: readonly Reading[] }>;
  growth(readings: readonly Reading[], which: "resident" | "heap"): number;
};

test("a replay takes every frame of three hours of a bus, and does not grow", async () => {
  const { frames, counted, readings } = await replaySoak(3);
  expect(frames).toBeGreaterThan(3_000_000);
  expect(counted.frames).toBe(frames);
  // Megabytes an hour. Pages come in large pieces, so that the first is coarse; the second sees what each batch leaves behind.
  expect(growth(readings, "resident"), JSON.stringify(readings)).toBeLessThan(1);
  expect(growth(readings, "heap"), JSON.stringify(readings)).toBeLessThan(0.25);
}, 600_000);
