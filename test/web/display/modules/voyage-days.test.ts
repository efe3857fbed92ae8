/** The days of a voyage on the page. */
import { expect, test } from "vitest";
import type { KeptLine } from "../../../../src/core/voyages/lines.ts";
import { voyageOf } from "../../../../src/core/voyages/voyage.ts";
import { daysOf } from "../../../../src/web/display/voyages/days.ts";

const entry = (number: number, kind: string, time: string): KeptLine => ({
  ...{ line: "entry", entry: number, kind, time: Date.parse(time) },
});

test("each entry is on the page of its day, also one after the end that became known later", () => {
  const voyage = voyageOf([
    entry(0, "begin", "2026-06-01T20:00:00Z"),
    entry(1, "note", "2026-06-02T08:00:00Z"),
    entry(2, "end", "2026-06-01T23:30:00Z"),
  ])!;
  expect(daysOf(voyage).map(({ day, entries }) => [day, entries.map(({ kind }) => kind)])).toEqual([
    ["2026-06-01", ["begin", "end"]],
    ["2026-06-02", ["note"]],
  ]);
});
