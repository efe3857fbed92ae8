/** The angles of the tacks, without a browser: they survive a reload, and belong to the boat that is shown. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { singleValue } from "../../../../src/web/display/trend/trend-points.ts";
import { PREFIX, stubStorage } from "./page-memory.ts";

const kept = new Map<string, string>();

let tacksOf: typeof import("../../../../src/web/display/sailing/tack-memory.ts")["tacksOf"];

/** A page is loaded, which begins with what is kept, of the boat of its address. */
async function load(prefix = PREFIX): Promise<void> {
  vi.resetModules();
  const { changeSettings } = await import("../../../../src/web/display/data/settings.ts");
  changeSettings({ prefix });
  ({ tacksOf } = await import("../../../../src/web/display/sailing/tack-memory.ts"));
}

beforeEach(async () => {
  stubStorage(kept);
  vi.useFakeTimers({ toFake: ["Date"] });
  await load();
});
afterEach(() => {
  kept.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const later = (hours: number): void => void vi.setSystemTime(Date.now() + hours * 3_600_000);

/** The angles after a while with the wind at an angle, or without any. */
const sailAt = (...windAngles: readonly number[]) =>
  Object.fromEntries(
    tacksOf(
      windAngles
        .flatMap((angle) => Array<number>(400).fill(angle))
        .map((angle, index, { length }) => singleValue(index - length, angle)),
    ),
  );

const both = { "port upwind": 40, "starboard upwind": 42 };

test("a page that is loaded again knows the other tack, of its own boat", async () => {
  expect(sailAt(-40, 42)).toEqual(both);
  later(2);
  expect(sailAt()).toEqual(both);
  await load();
  expect(sailAt()).toEqual(both);
  await load("can/other");
  expect(sailAt()).toEqual({});
});

test("a tack is forgotten six hours after it was last sailed, also while others are sailed and the page stays open", async () => {
  sailAt(-40, 42);
  later(4);
  expect(sailAt(-45)).toEqual({ ...both, "port upwind": 45 });
  later(3);
  expect(sailAt()).toEqual({ "port upwind": 45 });
  await load();
  expect(sailAt()).toEqual({ "port upwind": 45 });
  later(-4);
  expect(sailAt()).toEqual({});
});

test("what is broken in the storage is left out", async () => {
  const at = Date.now();
  const text = (tacks: unknown): string => JSON.stringify({ boat: PREFIX, tacks });
  const tacks = { "port upwind": { angle: "42", at }, up: { angle: 3, at }, "port downwind": { angle: 999, at } };
  const others = { "starboard upwind": { angle: 40 }, "starboard downwind": null };
  for (const broken of ["{", "null", "[]", text(null), text(tacks), text(others)]) {
    kept.set("hub-display-tacks", broken);
    await load();
    expect(sailAt()).toEqual({});
  }
});
