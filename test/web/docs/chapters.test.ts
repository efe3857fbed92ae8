/** The chapters that are written by hand, against the tables that they describe. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type CommonSettings, definitionOf } from "../../../src/core/alarms/definitions.ts";
import { type BitMeaning, engineBits, transmissionBits } from "../../../src/core/alarms/hazards/engine.ts";
import { alarmSettings } from "../../../src/core/alarms/settings.ts";
import type { Situation } from "../../../src/core/alarms/situation.ts";
import { alarmKinds } from "../../../src/core/alarms/words.ts";
import { findingDefinitionOf, findingKinds } from "../../../src/core/findings/definitions.ts";
import { ENDS_AFTER_SECONDS } from "../../../src/core/findings/finding.ts";
import { EngineStatus1, EngineStatus2, TransmissionStatus } from "../../../src/core/n2k/lookups.ts";
import { priorityKeys } from "../../../src/core/nav/settings.ts";
import { EXPIRE_AFTER_SECONDS, NAVIGATION_EXPIRES_AFTER_SECONDS } from "../../../src/core/report/timing.ts";
import { settingsEntries } from "../../../src/core/settings/entries.ts";
import { type Topic, topics } from "../../../src/core/topics/topics.ts";
import { hubCandCommand } from "../../../src/daemons/hub-cand-options.ts";
import { chapterNames } from "../../../src/web/docs/site.ts";

/** The code blocks of a chapter: what stands behind the fence, and the code. */
const blocksOf = (chapter: string): readonly (readonly [string, string])[] =>
  [...readFileSync(`docs/${chapter}.md`, "utf8").matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, kind, code]) => [
    kind!,
    code!,
  ]);

const chapters = readdirSync("docs").flatMap((file) => (file.endsWith(".md") ? [file.slice(0, -3)] : []));
const blockOf = (chapter: string, kind: string): string => blocksOf(chapter).find(([each]) => each === kind)![1];

test("the first page leads to each chapter, in the order of the navigation", () => {
  const links = readFileSync("docs/index.md", "utf8").matchAll(/\]\(([\w-]+)\.md\)/g);
  const led = [...links].map(([, name]) => name);
  expect(["index", ...new Set(led)]).toEqual(chapterNames);
});

test("what a page of the repository links to is a file of the repository", () => {
  const pages = readdirSync(".").filter((file) => file.endsWith(".md"));
  const links = pages.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path]) => `${page}: ${path}`),
  );
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter((link) => !existsSync(link.split(": ")[1]!))).toEqual([]);
});

const underWay = { isAtBerth: false, liesStill: false, isAtAnchor: false };
const statesOfTheBoat = {
  "under way": underWay,
  still: { ...underWay, liesStill: true },
  berth: { ...underWay, liesStill: true, isAtBerth: true },
  anchor: { ...underWay, isAtAnchor: true },
};

test("the chapter on alarms has every alarm as it is defined, row by row", () => {
  const text = readFileSync("docs/alarms.md", "utf8");
  const [, table] = /^(\| alarm \|.*\n(?:\|.*\n)+)/m.exec(text)!;
  const [, , ...rows] = table!.trim().split("\n");
  const cellsOf = (row: string): readonly string[] => row.split("|").map((cell) => cell.trim());
  expect(
    rows.map((row) => cellsOf(row)[1]),
    "docs/alarms.md has a row for each alarm, in the order of their kinds",
  ).toEqual(alarmKinds.map((kind) => `\`${kind}\``));
  for (const [index, kind] of alarmKinds.entries()) {
    const [, , when, data, rings, severity, seconds, ends] = cellsOf(rows[index]!);
    const definition = definitionOf(kind);
    const { delay, enabled, term, ...limits }: CommonSettings = alarmSettings.byDefault[kind];
    expect(when!.includes("off by default"), kind).toBe(!enabled);
    expect([kind, severity, seconds], kind).toEqual([kind, definition.severity, String(delay)]);
    for (const limit of Object.values(limits)) expect(when, kind).toMatch(new RegExp(`(?<![\\w-])${limit}\\b`));
    const states = Object.entries(statesOfTheBoat).filter(([, state]) => !definition.isQuiet?.(state as Situation));
    const isAlways = states.length === Object.keys(statesOfTheBoat).length;
    expect(rings, kind).toBe(isAlways ? "always" : states.map(([name]) => name).join(", "));
    for (const { definition: read } of definition.reads ?? []) expect(data, kind).toContain(String(read.pgn));
    expect(ends!.includes("acknowledged"), kind).toBe(definition.isLatched !== undefined);
  }
});

test("the chapter on findings has every kind as it is defined, row by row", () => {
  const text = readFileSync("docs/findings.md", "utf8");
  const [, table] = /^(\| kind \|.*\n(?:\|.*\n)+)/m.exec(text)!;
  const [, , ...rows] = table!.trim().split("\n");
  expect(rows, "docs/findings.md has this row for each finding, in the order of findingDefinitions").toEqual(
    findingKinds.map((kind) => {
      const { title, severity, raised, reads, after, endsAfter = ENDS_AFTER_SECONDS } = findingDefinitionOf(kind);
      return `| \`${kind}\` | ${title} | ${severity} | ${raised} | ${reads} | ${after} | ${endsAfter} |`;
    }),
  );
});

test("the chapter on alarms has every bit of engines and transmissions with its severity", () => {
  const text = readFileSync("docs/alarms.md", "utf8");
  const [, table] = /^(\| bit \|.*\n(?:\|.*\n)+)/m.exec(text)!;
  const cell = (name: string | undefined, meanings: Readonly<Record<string, BitMeaning | undefined>>): string => {
    if (name === undefined) return "";
    const { severity, atRest } = meanings[name] ?? {};
    return `${name}: ${severity ?? "-"}${atRest === undefined ? "" : atRest === "lamp" ? "*" : `, ${atRest} at rest`}`;
  };
  const rows = EngineStatus1.map((name, bit) =>
    [
      "",
      bit,
      cell(name, engineBits),
      cell(EngineStatus2[bit], engineBits),
      cell(TransmissionStatus[bit], transmissionBits),
      "",
    ]
      .join(" | ")
      .replaceAll("|  |", "| |")
      .replaceAll("|  |", "| |")
      .trim(),
  );
  expect(table!.trim().split("\n").slice(2)).toEqual(rows);
});

test.each(settingsEntries)(
  "an example of the settings $name is in a chapter, and each is understood",
  ({ name, read }) => {
    const examples = chapters.flatMap(blocksOf).filter(([kind]) => kind === `json ${name}`);
    expect(examples, `docs/settings.md has no example of it in a block \`json ${name}\``).not.toEqual([]);
    for (const [, example] of examples) expect(read(JSON.parse(example)).warnings).toEqual([]);
  },
);

const forOthers = Object.values<Topic>(topics).filter(({ memory }) => memory === undefined);
test.each(forOthers)("the topic $template is in a chapter", ({ template }) => {
  const levels = template.replace("{prefix}", "can/can0").replaceAll(/\{\w+\}/g, "[^/\\s`]+");
  const name = new RegExp(`\\b${levels}(?![\\w/])`);
  const naming = chapters.filter((chapter) => name.test(readFileSync(`docs/${chapter}.md`, "utf8")));
  expect(naming, "no file of docs names it: say there what the topic is for").not.toEqual([]);
});

test("the examples of limits are understood", () => {
  expect(alarmSettings.read(JSON.parse(blockOf("alarms", "json limits"))).warnings).toEqual([]);
});

test("the chapter on settings has each quantity that has preferred sources", () => {
  for (const key of priorityKeys) expect(readFileSync("docs/settings.md", "utf8")).toContain(`\`${key}\``);
});

test("the command lines that the manual shows are understood", () => {
  const lines = blocksOf("recordings").flatMap(([, code]) => code.split("\n"));
  const commands = lines.map((line) => /hub-cand ([^#]*)/.exec(line)?.[1]).filter((args) => args !== undefined);
  expect(commands.length).toBe(4);
  for (const args of commands) expect(hubCandCommand(args.trim().split(/\s+/)), args).toMatchObject({ kind: "run" });
});

test("the manual's times are those of the programs", () => {
  expect(readFileSync("docs/data.md", "utf8").replaceAll("\n", " ")).toContain(
    `${NAVIGATION_EXPIRES_AFTER_SECONDS} for the navigation report, ${EXPIRE_AFTER_SECONDS} for`,
  );
});
