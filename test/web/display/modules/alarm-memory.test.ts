/** What a screen remembers of anchors and answers from one to the next, without a browser. */
import { beforeEach, expect, test, vi } from "vitest";
import { drop, dropWas, startAnchorMemory } from "../../../../src/web/display/alarms/anchor-memory.ts";
import { acknowledge, acknowledgeLoss, ringingNow, silence } from "../../../../src/web/display/alarms/ringing.ts";
import { publish, stubStorage, usePageMemory } from "./page-memory.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

usePageMemory("setInterval", "clearInterval");
beforeEach(() => {
  stubStorage();
  vi.setSystemTime(NOW);
});

function report(data: object): void {
  publish("can/can0/navigation", {});
  publish("can/can0/alarms", { alarms: [], watching: {}, ...data });
}

/** A report with a watch or without one, which the memory takes. */
function watch(anchorWatch?: object): void {
  report(anchorWatch === undefined ? {} : { anchorWatch });
  vi.advanceTimersByTime(1000);
}

test("a time that was chosen for one anchor is not that of the next", () => {
  startAnchorMemory();
  watch();
  dropWas({ latitude: 52, longitude: 4, at: NOW - 3_600_000 });
  watch({ latitude: 52, longitude: 4, radius: 40 });
  expect(drop.peek()?.at).toBe(NOW - 3_600_000);
  for (const latitude of [53, 52]) {
    watch();
    watch({ latitude, longitude: 4, radius: 40 });
    expect(Math.abs(drop.peek()!.at! - NOW)).toBeLessThan(10_000);
  }
  // The command of this one is lost.
  watch();
  dropWas({ latitude: 54, longitude: 4, at: NOW - 3_600_000 });
  watch({ latitude: 55, longitude: 4, radius: 40 });
  expect(Math.abs(drop.peek()!.at! - NOW)).toBeLessThan(10_000);
});

test("an anchor that fell while this screen heard nothing has no time", () => {
  startAnchorMemory();
  watch();
  vi.advanceTimersByTime(3_600_000);
  watch({ latitude: 56, longitude: 4, radius: 40 });
  expect(drop.peek()).toMatchObject({ latitude: 56, at: undefined });
  watch();
  vi.advanceTimersByTime(20_000);
  watch({ latitude: 57, longitude: 4, radius: 40 });
  expect(drop.peek()!.at! - NOW).toBeGreaterThan(3_600_000);
});

test("an alarm that is raised again soon after its answer rings", () => {
  const anchor = (state: string, since = NOW) => ({
    ...{ id: "anchor", kind: "anchor", title: "Anchor dragging", severity: "alarm", state, value: 50, limit: 40 },
    since: new Date(since).toISOString(),
  });
  const isSilent = () => ringingNow(performance.now()).map((each) => [each.id, each.isSilent]);
  report({ alarms: [anchor("active")] });
  acknowledge("anchor");
  // The report before the answer.
  report({ alarms: [anchor("active")] });
  expect(isSilent()).toEqual([["anchor", true]]);
  report({ alarms: [anchor("acknowledged")] });
  expect(isSilent()).toEqual([]);
  report({ alarms: [anchor("active", NOW + 5000)] });
  expect(isSilent()).toEqual([["anchor", false]]);
  // Ended, and raised again.
  silence("anchor");
  report({ alarms: [] });
  isSilent();
  report({ alarms: [anchor("active", NOW + 9000)] });
  expect(isSilent()).toEqual([["anchor", false]]);
});

test("an alarm that was silent with an acknowledged loss rings again with the watch", () => {
  const depth = {
    ...{ id: "depth", kind: "depth", title: "Shallow water", severity: "alarm", state: "active" },
    ...{ value: 1, limit: 2, unit: "m", since: new Date(NOW).toISOString() },
  };
  const isSilent = () => ringingNow(performance.now()).map((each) => [each.id, each.isSilent]);
  report({ alarms: [depth] });
  expect(isSilent()).toEqual([["depth", false]]);
  acknowledgeLoss();
  vi.advanceTimersByTime(60_000);
  ringingNow(performance.now());
  report({ alarms: [depth] });
  expect(isSilent()).toEqual([["depth", false]]);
});

test.each([
  ["a minute ago", -60_000, true],
  ["half a day ago", -12 * 3_600_000, undefined],
  ["a week ahead, before the clock of this screen was set back", 7 * 86_400_000, true],
])("a page that is loaded knows the need of a watch that was noted %s", async (_, aheadMs, isNeeded) => {
  const noted = JSON.stringify({ prefix: "can/can0", isNeeded: true, at: NOW + aheadMs });
  vi.stubGlobal("localStorage", { getItem: () => noted });
  vi.resetModules();
  const { rememberedNeed } = await import("../../../../src/web/display/alarms/watch-memory.ts");
  expect(rememberedNeed("can/can0")).toBe(isNeeded);
});
