/** The record of a press of the man-overboard button, without a browser. */
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import {
  confirm,
  dismiss,
  hearCommand,
  isReleased,
  press,
  question,
  release,
  reportedPersons,
  unsent,
  waitingPresses,
  wasPressedAt,
} from "../../../../src/web/display/alarms/man-overboard.ts";
import { PREFIX, publish, stubStorage, usePageMemory } from "./page-memory.ts";

usePageMemory("setTimeout", "clearTimeout", "setInterval", "clearInterval");
afterEach(() => {
  dismiss();
  unsent.value = [];
});

test.each([
  [1, true],
  [110, true],
  [130, false],
  [500, false],
])("%d seconds after the last position a press has the place of that: %s", (seconds, hasPlace) => {
  publish(`${PREFIX}/navigation`, {
    position: { latitude: 52.1, longitude: 4.2, hasFix: true, source: { name: "1", pgn: 129025, age: 0 } },
  });
  vi.advanceTimersByTime(1000 * seconds);
  press();
  const { latitude, longitude } = question.peek()!;
  expect([latitude, longitude]).toEqual(hasPlace ? [52.1, 4.2] : [undefined, undefined]);
});

test("each press is a person of its own until hub-cand reports it by its name, and each is released alone", () => {
  const mark = (): string => {
    press();
    const name = question.peek()!.press;
    confirm();
    vi.advanceTimersByTime(5000);
    return name;
  };
  const report = (...presses: readonly string[]): void => {
    const at = "2020-01-01T00:00:00.000Z";
    const alarms = presses.map((press, index) => ({
      ...{ id: `manOverboard-0${index === 0 ? "" : `-${index + 1}`}`, kind: "manOverboard", title: "Man overboard" },
      ...{ severity: "emergency", state: "active", subject: 0, press, since: at, first: { at } },
    }));
    publish(`${PREFIX}/alarms`, { alarms, watching: {} });
  };
  const waiting = () => waitingPresses(performance.now()).map((each) => each.press);
  const [one, two, three] = [mark(), mark(), mark()];
  expect(waiting()).toEqual([one, two, three]);
  // That of another tablet is none of these.
  report("of-another", two);
  expect(waiting()).toEqual([one, three]);
  expect(reportedPersons(performance.now())).toHaveLength(2);
  release(one);
  expect(waiting()).toEqual([three]);
  const isTwoReleased = () => isReleased(two, performance.now());
  expect(isTwoReleased()).toBe(false);
  release(two);
  expect([waiting(), isTwoReleased()]).toEqual([[three], true]);
  // Another screen releases a person too; what hub-cand retains releases nobody.
  hearCommand(Buffer.from(JSON.stringify([{ press: three }])));
  expect(isReleased(three, performance.now())).toBe(false);
  hearCommand(Buffer.from(JSON.stringify({ press: three, back: true })));
  expect(isReleased(three, performance.now())).toBe(true);
  // hub-cand has not got it.
  vi.advanceTimersByTime(20_000);
  expect(isTwoReleased()).toBe(false);
});

test("a press on another screen is known while it is repeated, or while hub-cand is off, until it is released", () => {
  const hearPress = () => hearCommand(Buffer.from(JSON.stringify({ press: "x", ago: 5, latitude: 52, longitude: 4 })));
  const waiting = () => waitingPresses(performance.now()).map((each) => each.press);
  hearPress();
  vi.advanceTimersByTime(600_000);
  const [far] = waitingPresses(performance.now());
  expect([far, (performance.now() - wasPressedAt(far!, performance.now())) / 1000]).toMatchObject([
    { press: "x", latitude: 52, longitude: 4 },
    605,
  ]);
  // A hub-cand that reports nobody, and a screen that is not heard any more.
  publish(`${PREFIX}/alarms`, { alarms: [], watching: {} });
  expect(waiting()).toEqual([]);
  hearPress();
  expect(waiting()).toEqual(["x"]);
  hearCommand(Buffer.from(JSON.stringify({ press: "x", back: true })));
  expect(waiting()).toEqual([]);
});

test.each([
  ["a clock that is right", 0, 40],
  ["a clock that is set back", -10_800, 40],
  ["a device that sleeps, whose monotonic clock stands still", 60, 100],
])("a press was so long ago, by %s", (_, stepSec, ago) => {
  press();
  confirm();
  vi.advanceTimersByTime(40_000);
  vi.setSystemTime(Date.now() + 1000 * stepSec);
  const now = performance.now();
  expect((now - wasPressedAt(unsent.peek()[0]!, now)) / 1000).toBe(ago);
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

test("a press that hub-cand does not have yet is there when the page is loaded again", async () => {
  stubStorage();
  onTestFinished(() => void vi.resetModules());
  const loaded = () => {
    vi.resetModules();
    return import("../../../../src/web/display/alarms/man-overboard.ts");
  };
  const before = await loaded();
  before.startManOverboard();
  before.press();
  before.confirm();
  const { unsent: kept } = await loaded();
  expect(kept.peek()).toEqual([expect.objectContaining({ press: before.unsent.peek()[0]!.press })]);
});
