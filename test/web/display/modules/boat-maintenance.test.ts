/** The engine hours by which the page Boat counts maintenance, without a browser. */
import { expect, test, vi } from "vitest";
import { topicsBelow } from "../../../../src/core/topics/topics.ts";
import { hoursOf } from "../../../../src/web/display/boat/maintenance.tsx";
import { boatPgns } from "../../../../src/web/display/boat/pgns.ts";
import { noteSubscriptions } from "../../../../src/web/display/data/store.ts";
import { pgnFilters } from "../../../../src/web/display/pages/page.ts";
import { PREFIX, publish, usePageMemory } from "./page-memory.ts";

const PGN = 127489;

usePageMemory();

function engine(addr: number, data: object): void {
  publish(topicsBelow(PREFIX).pgn({ addr, pgn: PGN }), { pgn: PGN, ...data });
  vi.advanceTimersByTime(1000);
}
const hours = (instance: number): number | undefined => hoursOf(instance, performance.now());

test("the hours are of the first device that has those of the engine, in whichever order their messages come", () => {
  engine(11, { engineInstance: 0, engineHours: 1008 });
  engine(10, { engineInstance: 0, engineHours: 1000 });
  engine(11, { engineInstance: 0, engineHours: 1008 });
  engine(9, { engineInstance: 0 });
  engine(8, { engineInstance: 1, engineHours: 70 });
  expect([0, 1, 2].map(hours)).toEqual([1000, 70, undefined]);
});

test("of devices that are silent the newest message counts", () => {
  engine(10, { engineInstance: 0, engineHours: 1000 });
  engine(11, { engineInstance: 0, engineHours: 1008 });
  vi.advanceTimersByTime(8 * 3_600_000);
  expect(hours(0)).toBe(1008);
});

test("an engine that is off keeps its hours while the page stays open", () => {
  engine(10, { engineInstance: 0, engineHours: 1000 });
  vi.advanceTimersByTime(8 * 3_600_000);
  expect(hours(0)).toBe(1000);
});

test("hours that another page has heard in the morning are not those of the evening", () => {
  const asked = (pgns: readonly number[]): void => noteSubscriptions(pgnFilters(PREFIX, pgns), PREFIX);
  asked(boatPgns);
  engine(10, { engineInstance: 0, engineHours: 1000 });
  asked([]);
  vi.advanceTimersByTime(8 * 3_600_000);
  asked(boatPgns);
  expect(hours(0)).toBeUndefined();
  engine(10, { engineInstance: 0, engineHours: 1008 });
  expect(hours(0)).toBe(1008);
});
