/** The memory of trends, without a browser: values are at their time, and belong to the boat that is shown. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PREFIX, stubStorage } from "./page-memory.ts";

const kept = new Map<string, string>();

let { histories, restore, save } = await load();

/** What a page has that is loaded now. */
function load(): Promise<typeof import("../../../../src/web/display/trend/trend-memory.ts")> {
  vi.resetModules();
  return import("../../../../src/web/display/trend/trend-memory.ts");
}

beforeEach(async () => {
  stubStorage(kept);
  vi.useFakeTimers({ toFake: ["Date"] });
  ({ histories, restore, save } = await load());
});
afterEach(() => {
  kept.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The values of the last ten minutes with their seconds before now, monotonic seconds. */
const depths = (now: number): readonly (readonly [number, number | null])[] =>
  histories.depth.minutes
    .points(now)
    .filter(({ value }) => value !== null)
    .map(({ at, value }) => [at, value] as const);

/** A page shows a depth at 1000 s of its clock and is closed; another one begins its clock so much later. */
const reload = async (afterSeconds: number, prefix = PREFIX): Promise<void> => {
  histories.depth.minutes.add(4.2, 1000);
  save(1_000_000, PREFIX);
  ({ histories, restore, save } = await load());
  vi.setSystemTime(Date.now() + 1000 * afterSeconds);
  restore(0, prefix);
};

test("a page that is loaded again two minutes later has a value two minutes before now", async () => {
  await reload(120);
  expect(depths(0)).toEqual([[-120, 4.2]]);
  expect(depths(60)).toEqual([[-180, 4.2]]);
});

test("a value that is older than the trend is not there any more", async () => {
  await reload(601);
  expect(depths(0)).toEqual([]);
});

test("a clock that went back brings no old values as present ones, and live values are kept", async () => {
  await reload(-300);
  expect(depths(0)).toEqual([]);
  histories.depth.minutes.add(7.5, 10);
  expect(depths(10)).toEqual([[0, 7.5]]);
});

test("the trends of another boat are not taken over", async () => {
  await reload(1, "can/other");
  expect(depths(0)).toEqual([]);
});

test("the strongest gust of a step is kept over a reload", async () => {
  for (const [index, knots] of [11, 19.25, 12].entries()) histories.trueSpeed.minutes.add(knots, 1000 + index / 10);
  save(1_000_000, PREFIX);
  ({ histories, restore, save } = await load());
  vi.setSystemTime(Date.now() + 10_000);
  restore(0, PREFIX);
  expect(histories.trueSpeed.minutes.points(0).filter(({ value }) => value !== null)).toEqual([
    { at: -10, low: 11, value: 12, high: 19.25 },
  ]);
});

test("what an earlier version has kept, and what is broken, is read as far as it is numbers", async () => {
  const values = { depth: [[4, null, [1, 2, 3], [1, "2", 3], "x"], "broken"], sog: null };
  kept.set("hub-display-history", JSON.stringify({ prefix: PREFIX, savedAt: Date.now(), values }));
  restore(0, PREFIX);
  expect(depths(0).map(([, value]) => value)).toEqual([4, 2]);
});
