/** The screen stays on, without a browser: what the page asks of one while it is shown, hidden and shown again. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** A screen lock as a browser gives it: it is released with the page hidden. */
class Lock {
  released = false;
  async release(): Promise<void> {
    this.released = true;
  }
}

const document = Object.assign(new EventTarget(), { hidden: false });
const locks: Lock[] = [];
const wakeLock = {
  async request(): Promise<Lock> {
    const lock = new Lock();
    locks.push(lock);
    return lock;
  },
};

beforeEach(() => {
  // Modules that keep state of their own, which ends with the test.
  vi.resetModules();
  vi.useFakeTimers();
  vi.stubGlobal("document", document);
  vi.stubGlobal("navigator", { wakeLock });
  vi.stubGlobal("location", { search: "" });
  vi.stubGlobal("addEventListener", () => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

async function show(isShown: boolean): Promise<void> {
  document.hidden = !isShown;
  if (!isShown) for (const lock of locks) await lock.release();
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(0);
}

test("a page that was hidden asks for the screen lock again when it is shown, unless the crew does not want it", async () => {
  const { startAlarmSound, wakeLockState } = await import("../../../../src/web/display/alarms/alarm-sound.ts");
  const { settings } = await import("../../../../src/web/display/data/settings.ts");
  const state = (): readonly unknown[] => [wakeLockState.value, locks.map(({ released }) => released)];
  startAlarmSound();
  await vi.advanceTimersByTimeAsync(0);
  expect(state()).toEqual(["on", [false]]);
  await show(false);
  expect(state()).toEqual(["off", [true]]);
  await show(true);
  expect(state()).toEqual(["on", [true, false]]);
  // A second time, and no other lock while there is one.
  await show(true);
  expect(state()).toEqual(["on", [true, false]]);
  settings.value = { ...settings.value, awake: false };
  await vi.advanceTimersByTimeAsync(0);
  expect(state()).toEqual(["off", [true, true]]);
  await show(false);
  await show(true);
  expect(state()).toEqual(["off", [true, true]]);
});
