/** The project's own rule of the linter, in files that break it and files that do not. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

const sources: readonly (readonly [source: string, isFound: boolean])[] = [
  ["export const f = (list: number[], rows: number[]) => list.push(...rows);", true],
  ["export const f = (list: number[], rows: number[]) => list.push(1, ...rows.map(Number));", true],
  ["export const f = (rows: number[]) => ({ most: Math.max(0, ...rows) });", true],
  ["export const f = (codes: number[]) => String.fromCharCode(\n  ...codes,\n);", true],
  ["export const f = (list: object[], row: object) => list.push({ ...row }, [...list]);", false],
  ["export const f = (list: number[], rows: number[]) => [...list, ...rows];", false],
  ["// biome-ignore lint/plugin: two\nexport const f = (rows: number[]) => Math.max(...rows);", false],
];

test("a list of any length that is spread into arguments is found, and nothing else is", () => {
  const folder = temporaryFolder("lint");
  const plugins = [resolve("scripts/lint/no-unbounded-spread.grit")];
  writeFileSync(join(folder, "biome.json"), JSON.stringify({ root: true, plugins }));
  for (const [index, [source]] of sources.entries()) writeFileSync(join(folder, `file-${index}.ts`), `${source}\n`);
  const { stdout, stderr } = spawnSync(process.execPath, [resolve("node_modules/@biomejs/biome/bin/biome"), "lint"], {
    cwd: folder,
    encoding: "utf8",
  });
  const found = sources.map((_source, index) =>
    new RegExp(`^file-${index}\\.ts:\\S+ plugin`, "m").test(stderr + stdout),
  );
  expect(found).toEqual(sources.map(([, isFound]) => isFound));
});
