import { expect, test } from "vitest";
import { systemClock } from "../../../src/adapters/node/system-clock.ts";

test("systemClock calls once or again and again, until called off", async () => {
  const calls: string[] = [];
  const before = systemClock.monotonic();
  const callOff = systemClock.after(0, () => calls.push("called off"));
  callOff();
  await new Promise<void>((resolve) => {
    const stop = systemClock.every(1, () => {
      calls.push("every");
      if (calls.length < 3) return;
      stop();
      systemClock.after(5, resolve);
    });
  });
  expect(calls).toEqual(["every", "every", "every"]);
  expect(systemClock.monotonic()).toBeGreaterThan(before);
  expect(Math.abs(systemClock.wall() - Date.now())).toBeLessThan(60_000);
});
