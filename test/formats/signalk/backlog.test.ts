/** The texts that clients share. */
import { expect, test } from "vitest";
import { roundOf } from "../../../src/formats/signalk/backlog.ts";
import { Changes } from "../../../src/formats/signalk/changes.ts";
import type { Leaf } from "../../../src/formats/signalk/model.ts";

/** A round of so many leaves of the boat, whose values have this length. */
function batchOf(count: number, length: number) {
  const changes = new Changes();
  const common = { context: "vessels.self", source: "can0.1", timestamp: "2026-11-21T00:00:00.000Z" };
  for (let place = 0; place < count; place++) {
    const leaf = { ...common, path: `name${place}`, value: "x".repeat(length), isPlain: false, isOther: false };
    changes.add(leaf as unknown as Leaf);
  }
  return roundOf(changes, 0).batches[0]!;
}

const pathsOf = (text: string): string[] =>
  JSON.parse(text).updates.flatMap(({ values }: { values: { path: string }[] }) => values.map(({ path }) => path));

test("clients that get the same leaves share one text, and others have their own", () => {
  const { leaves, textOf } = batchOf(4, 1);
  const combinations = [[0, 1, 2, 3], [0], [1], [0, 1], [1, 2, 3]];
  const texts = combinations.map((places) => textOf(places));
  for (const [index, places] of combinations.entries()) {
    expect(textOf([...places])).toBe(texts[index]);
    expect(pathsOf(texts[index]!.text)).toEqual(places.map((place) => leaves[place]!.path));
  }
  expect(new Set(texts).size).toBe(combinations.length);
});

test("texts of parts are kept up to the budget of a round, those of whole rounds always", () => {
  const { leaves, textOf } = batchOf(400, 1000);
  const all = [...leaves.keys()];
  const parts = all.map((place) => textOf([place]));
  const kept = parts.filter((part, place) => textOf([place]) === part);
  const characters = kept.reduce((sum, { text }) => sum + text.length, 0);
  expect(characters).toBeGreaterThan(250 << 10);
  expect(characters).toBeLessThanOrEqual(256 << 10);
  expect(textOf([399])).toEqual(parts[399]);
  expect(textOf(all)).toBe(textOf(all));
});
