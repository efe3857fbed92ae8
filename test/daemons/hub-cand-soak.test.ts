/** Hours of bus time in seconds: hub-cand does not grow. `npm run soak` is the long way. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { withoutGuest } from "../guest/possible.ts";

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

test("a replay takes every frame of two hours of a bus, and does not grow", async () => {
  const { frames, counted, readings } = await replaySoak(2);
  expect(frames).toBeGreaterThan(2_000_000);
  expect(counted.frames).toBe(frames);
  // Megabytes an hour. Pages come in large pieces, so that the first is coarse; the second sees what each batch leaves behind.
  expect(growth(readings, "resident"), JSON.stringify(readings)).toBeLessThan(1);
  expect(growth(readings, "heap"), JSON.stringify(readings)).toBeLessThan(0.25);
}, 600_000);

const obstacle = existsSync("/sys/class/net/vcan0") ? undefined : withoutGuest("uml");

test.skipIf(obstacle !== undefined)(
  `a socket takes every frame of six minutes, and as many descriptors at the end ${obstacle ?? ""}`.trimEnd(),
  () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["bench/soak.mjs", "socket"], {
      encoding: "utf8",
      env: { ...process.env, HUB_SOAK_HOURS: "0.1" },
      timeout: 580_000,
    });
    expect(stdout, stderr).toMatch(/^socket: 0.1 h of bus time, 1\d{5} frames, 0 lost, /m);
    expect(status, stdout + stderr).toBe(0);
  },
  600_000,
);
