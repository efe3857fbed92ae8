/** An entry of the settings: what is absent, unknown or of no use, for each of them. */
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { entry } from "../../../src/core/report/read-entry.ts";
import { settingsEntries } from "../../../src/core/settings/entries.ts";

describe.each(settingsEntries)("$name", ({ name, byDefault, read, schema }) => {
  const inForce = { ...(byDefault as object), marked: true };
  const members = Object.keys((schema as z.ZodObject).shape);

  test("is its defaults if it is absent, and if it has no member", () => {
    expect(read(undefined, inForce)).toEqual({ settings: byDefault, warnings: [] });
    const { settings, warnings } = read({ name });
    expect(settings).toEqual({ ...(byDefault as object), ...(name === "navigation" && { configLoaded: true }) });
    expect(warnings).toEqual([]);
  });

  test.each(members)("a %s that is of no use gives a warning and changes nothing", (member) => {
    const { settings, warnings } = read({ name, [member]: null });
    expect(settings).toEqual(byDefault);
    expect(
      warnings.map(({ path }) => path[0]),
      "`members` of the entry has no reader of it",
    ).toContain(member);
  });
});

test("a member that cannot be used keeps its value in force, or all of them; an unknown one is told", () => {
  const schema = z.object({ one: z.int(), two: z.int() });
  const options = { title: "", schema, byDefault: { one: 0, two: 0 }, members: schema.shape };
  const inForce = { one: 1, two: 2 };
  const given = { one: 7, two: "no", three: 3 };
  expect(entry("each", options).read(given, inForce)).toEqual({
    settings: { one: 7, two: 2 },
    warnings: [
      { path: ["two"], problem: expect.stringContaining("number") },
      { path: ["three"], problem: "is no member of each" },
    ],
  });
  expect(entry("all", { ...options, keeps: "entry" }).read(given, inForce).settings).toBe(inForce);
  expect(entry("shared", { ...options, unknown: null }).read(given, inForce).warnings).toHaveLength(1);
});
