/** The record of a press of the man-overboard button, without a browser. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { asked, dismiss, press } from "../../../src/display/alarms/man-overboard.ts";
import { clearStore, hear } from "../../../src/display/data/store.ts";

beforeEach(() => {
  // Nothing is rendered.
  vi.stubGlobal("document", { hidden: true });
  vi.useFakeTimers({ toFake: ["performance", "Date", "setTimeout", "clearTimeout"] });
});
afterEach(() => {
  dismiss();
  clearStore();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([
  [1, true],
  [110, true],
  [130, false],
  [500, false],
])("%d seconds after the last position a press has the place of that: %s", (seconds, hasPlace) => {
  const data = {
    position: { latitude: 52.1, longitude: 4.2, hasFix: true, source: { name: "1", pgn: 129025, age: 0 } },
  };
  const metadata = { rxDate: new Date().toISOString(), expireAfterSec: 2 };
  const payload = Buffer.from(JSON.stringify({ data, metadata }));
  hear("can/can0", { topic: "can/can0/navigation", payload, retained: false });
  vi.advanceTimersByTime(1000 * seconds);
  press();
  const at = new Date().toISOString();
  expect(asked.peek()).toEqual(hasPlace ? { at, latitude: 52.1, longitude: 4.2 } : { at });
});

test("each question has its half minute, also the one after a question that was answered with no", () => {
  press();
  vi.advanceTimersByTime(20_000);
  dismiss();
  press();
  vi.advanceTimersByTime(29_000);
  expect(asked.peek()).toBeDefined();
  vi.advanceTimersByTime(2000);
  expect(asked.peek()).toBeUndefined();
});
