/** The angles of the tacks, without a browser: they survive a reload, and belong to the boat that is shown. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { changeSettings } from "../../../../src/web/display/data/settings.ts";
import { tacksOf } from "../../../../src/web/display/sailing/tack-memory.ts";
import { singleValue } from "../../../../src/web/display/trend/trend-points.ts";

const kept = new Map<string, string>();

beforeEach(() => {
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  });
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  kept.clear();
  reload();
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

/** The page forgets the boat that it has shown, and begins with what is kept. */
function reload(): void {
  changeSettings({ prefix: "can/other" });
  expect(sailAt()).toEqual({});
  changeSettings({ prefix: "can/can0" });
}

const both = { "port upwind": 40, "starboard upwind": 42 };

test("a page that is loaded again knows the other tack, of its own boat", () => {
  expect(sailAt(-40, 42)).toEqual(both);
  later(2);
  expect(sailAt()).toEqual(both);
  reload();
  expect(sailAt()).toEqual(both);
});

test("a tack is forgotten six hours after it was last sailed, also while others are sailed and the page stays open", () => {
  sailAt(-40, 42);
  later(4);
  expect(sailAt(-45)).toEqual({ ...both, "port upwind": 45 });
  later(3);
  expect(sailAt()).toEqual({ "port upwind": 45 });
  reload();
  expect(sailAt()).toEqual({ "port upwind": 45 });
  later(-4);
  expect(sailAt()).toEqual({});
});

test("what is broken in the storage is left out", () => {
  const at = Date.now();
  const text = (tacks: unknown): string => JSON.stringify({ boat: "can/can0", tacks });
  const tacks = { "port upwind": { angle: "42", at }, up: { angle: 3, at }, "port downwind": { angle: 999, at } };
  const others = { "starboard upwind": { angle: 40 }, "starboard downwind": null };
  for (const broken of ["{", "null", "[]", text(null), text(tacks), text(others)]) {
    kept.set("hub-display-tacks", broken);
    reload();
    expect(sailAt()).toEqual({});
  }
});
