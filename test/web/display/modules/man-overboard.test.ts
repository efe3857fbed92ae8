/** The record of a press of the man-overboard button, without a browser. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  dismiss,
  isPressReported,
  press,
  question,
  release,
} from "../../../../src/web/display/alarms/man-overboard.ts";
import { clearStore, hear } from "../../../../src/web/display/data/store.ts";

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
  expect(question.peek()).toEqual(hasPlace ? { at, latitude: 52.1, longitude: 4.2 } : { at });
});

test("while the alarm of a press that was released here ends, another press is that of another person", () => {
  const report = (...alarms: readonly object[]): void => {
    const payload = Buffer.from(
      JSON.stringify({
        data: { alarms, watching: {} },
        metadata: { rxDate: new Date().toISOString(), expireAfterSec: 60 },
      }),
    );
    hear("can/can0", { topic: "can/can0/alarms", payload, retained: false });
  };
  const alarm = (since: string) => ({
    ...{ id: "manOverboard-0", kind: "manOverboard", title: "Man overboard", severity: "emergency", state: "active" },
    since,
  });
  const isReported = () => isPressReported(performance.now());
  const [first, second] = ["2026-11-24T12:00:00.000Z", "2026-11-24T12:00:04.000Z"];
  expect(isReported()).toBe(false);
  report(alarm(first));
  expect(isReported()).toBe(true);
  release();
  expect(isReported()).toBe(false);
  report(alarm(second));
  expect(isReported()).toBe(true);
  // A release that never arrived.
  report(alarm(first));
  vi.advanceTimersByTime(11_000);
  expect(isReported()).toBe(true);
});

test("each question has its half minute, also the one after a question that was answered with no", () => {
  press();
  vi.advanceTimersByTime(20_000);
  dismiss();
  press();
  vi.advanceTimersByTime(29_000);
  expect(question.peek()).toBeDefined();
  vi.advanceTimersByTime(2000);
  expect(question.peek()).toBeUndefined();
});
