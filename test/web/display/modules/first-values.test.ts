import { afterEach, beforeEach, expect, test, vi } from "vitest";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.resetModules();
});
afterEach(() => void vi.useRealTimers());

/** The module anew, as a page loads it, and the milliseconds after which its promise has resolved. */
async function opened() {
  const { firstValues, noteValues } = await import("../../../../src/web/display/data/first-values.ts");
  let isOver = false;
  void firstValues.then(() => {
    isOver = true;
  });
  const isOverAfter = async (milliseconds: number): Promise<boolean> => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    return isOver;
  };
  const { connectionState } = await import("../../../../src/web/display/data/connection.ts");
  return { noteValues, isOverAfter, connectionState };
}

test("what can wait begins when the first values have been drawn, and not later with each further one", async () => {
  const { noteValues, isOverAfter } = await opened();
  expect(await isOverAfter(1000)).toBe(false);
  noteValues();
  expect(await isOverAfter(0)).toBe(false);
  expect(await isOverAfter(200)).toBe(false);
  noteValues();
  expect(await isOverAfter(100)).toBe(true);
});

test("it does not wait for a boat that is reached and reports nothing", async () => {
  const { isOverAfter, connectionState } = await opened();
  expect(await isOverAfter(1000)).toBe(false);
  connectionState.value = "connected";
  expect(await isOverAfter(900)).toBe(false);
  expect(await isOverAfter(200)).toBe(true);
});

test("it does not wait for a boat that is not reached", async () => {
  const { isOverAfter } = await opened();
  expect(await isOverAfter(2900)).toBe(false);
  expect(await isOverAfter(200)).toBe(true);
});
