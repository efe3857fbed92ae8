/** Bus time in a fraction of it: hub-cand does not grow. `npm run soak` is the long way. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { withoutGuest } from "../guest/possible.ts";
import { titled } from "../support/size.ts";

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
  growth(readings: readonly Reading[], which: "resident" | "heap", without: number): number;
};

/** Enough for three readings; a guest takes as long for its start. */
const socketHours = 0.05;

test("a replay takes every frame of three hours of a bus, and does not grow", async () => {
  const { frames, counted, readings } = await replaySoak(3);
  expect(frames).toBeGreaterThan(3_000_000);
  expect(counted.frames).toBe(frames);
  // Megabytes an hour in the last hour: in the first two, code is still compiled. Pages come in large pieces, so that
  // the first is coarse; the second sees what each batch leaves behind.
  expect(growth(readings, "resident", 2 / 3), JSON.stringify(readings)).toBeLessThan(1);
  expect(growth(readings, "heap", 2 / 3), JSON.stringify(readings)).toBeLessThan(0.15);
}, 600_000);

const obstacle = existsSync("/sys/class/net/vcan0") ? undefined : withoutGuest("uml");

test.skipIf(obstacle !== undefined)(
  titled(`a socket takes every frame of ${socketHours} h, and has as many descriptors at the end`, obstacle),
  () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["bench/soak.mjs", "socket"], {
      encoding: "utf8",
      env: { ...process.env, HUB_SOAK_HOURS: String(socketHours) },
      timeout: 580_000,
    });
    const [, frames] = /^socket: [\d.]+ h of bus time, (\d+) frames, 0 lost, /m.exec(stdout) ?? [];
    expect(Number(frames), stdout + stderr).toBeGreaterThan(socketHours * 1_000_000);
    expect(status, stdout + stderr).toBe(0);
  },
  600_000,
);
