/** The angles of the tacks, without a browser: they survive a reload, and belong to the boat that is shown. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Leg } from "../../../src/display/sailing/past.ts";
import { restoreTacks, saveTacks, tacksOf } from "../../../src/display/sailing/tack-memory.ts";
import { changeSettings } from "../../../src/display/settings.ts";

const kept = new Map<string, string>();
const angles: ReadonlyMap<Leg, number> = new Map([
  ["port upwind", 42],
  ["starboard downwind", 150.5],
]);

beforeEach(() => {
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  });
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  kept.clear();
  changeSettings({ prefix: "can/can0" });
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const later = (hours: number): void => void vi.setSystemTime(Date.now() + hours * 3_600_000);

test("a page that is loaded again knows the other tack", () => {
  saveTacks(angles);
  later(2);
  expect([...restoreTacks()]).toEqual([...angles]);
});

test("not after a night, and not of another boat", () => {
  saveTacks(angles);
  later(7);
  expect([...restoreTacks()]).toEqual([]);
  saveTacks(angles);
  changeSettings({ prefix: "can/other" });
  expect([...restoreTacks()]).toEqual([]);
});

test("each boat that is shown has its own angles, also without a reload", () => {
  const upwind = [...Array(400).fill(-40), ...Array(400).fill(40)];
  expect(tacksOf(upwind, 1).get("port upwind")).toBeCloseTo(40, 5);
  changeSettings({ prefix: "can/other" });
  expect([...tacksOf([], 1)]).toEqual([]);
  changeSettings({ prefix: "can/can0" });
});

test("what is broken in the storage is left out", () => {
  const text = (value: unknown): string => JSON.stringify({ boat: "can/can0", savedAt: Date.now(), angles: value });
  for (const broken of ["{", "null", "[]", text(null), text({ "port upwind": "42", up: 3, "port downwind": 999 })]) {
    kept.set("hub-display-tacks", broken);
    expect([...restoreTacks()]).toEqual([]);
  }
});
