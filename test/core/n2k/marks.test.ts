/** What a member of a message is, other files read from the marks of its definition; they list no names of members. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { placedFields } from "../../../src/core/n2k/layout.ts";
import { definitions, reportOnly } from "../../../src/core/n2k/pgns/index.ts";
import { navigationData } from "../../../src/core/nav/navigation-report.ts";
import { marksOf, membersOf } from "../../../src/core/report/marks.ts";

const members = new Set(
  [...definitions, ...reportOnly].flatMap(({ fields }) => placedFields(fields).map(({ name }) => name)),
);

/** Files of rows, by the ends of their paths, whose lists name the members that a row reads or has as its key. */
const rows: Readonly<Record<string, readonly string[]>> = {
  "kinds/sensors.ts": ["latitude", "speedWaterMs", "windSpeedMs"],
  // The position of a call, by which a call with more of it is another one.
  "encoder.ts": ["address"],
  "public-systems.ts": ["instance", "instance"],
  "system-values.ts": ["instance"],
};

const source = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
  (path) => /\.tsx?$/.test(path) && !/^core\/n2k\/(pgns|j1939)\//.test(path),
);

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");

/** The lists of two or more texts that are all names of members, by their first name. */
const listsIn = (text: string): readonly string[] =>
  [...text.matchAll(/\[((?:\s*"[^"\n]*",?\s*){2,})\]/g)].flatMap(([, list]) => {
    const texts = [...list!.matchAll(/"([^"]*)"/g)].map(([, each]) => each!);
    return texts.every((each) => members.has(each)) ? [texts[0]!] : [];
  });

test.each(source)("%s has no list of names of members, and no name of a counter", (path) => {
  const text = withoutComments(readFileSync(`src/${path}`, "utf8"));
  expect(listsIn(text)).toEqual(Object.entries(rows).find(([end]) => path.endsWith(`/${end}`))?.[1] ?? []);
  expect(text).not.toMatch(/"(sequenceId|sid|sId)"/);
});

test("a list is found over lines, in a set and in a tuple", () => {
  expect(listsIn('new Set([\n  "sequenceId",\n  "source",\n])')).toEqual(["sequenceId"]);
  expect(listsIn('["hours", "minutes"] as const')).toEqual(["hours"]);
  expect(listsIn('["hours", "of a day"]')).toEqual([]);
});

test("each sequence identifier is marked as a counter, and each angle that wraps as a direction", () => {
  for (const { pgn, fields } of [...definitions, ...reportOnly])
    for (const { name, field } of placedFields(fields)) {
      if (/^_?(sequenceId|sid)$/i.test(name)) expect(field.counter, `${pgn} ${name}`).toBe(true);
      if (field.kind === "number" && field.unit === "deg") expect(field.quantity, `${pgn} ${name}`).toBeDefined();
    }
  const directions = [...membersOf(navigationData)].flatMap(([path, each]) => (marksOf(each).direction ? [path] : []));
  expect(directions).toContain("speed_course.cog");
  expect(directions).toContain("wind_apparent.angle");
  expect(directions).not.toContain("position.latitude");
});
