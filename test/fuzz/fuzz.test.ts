/** Fuzzing of all targets goes on for some seconds. What it found is in seeds, which other tests repeat. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { size } from "../size.ts";

const seconds = size(5, 10);
const hasToRun = process.env.CI === "true";
const hasClang = ["clang++", ...Array.from({ length: 12 }, (_, index) => `clang++-${25 - index}`)].some(
  (name) => spawnSync(name, ["--version"]).status === 0,
);

test(`fuzzing for ${seconds} s finds nothing${hasClang || hasToRun ? "" : " (the C++ is left out: no clang)"}`, {
  timeout: 600_000,
}, () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/fuzz.mjs", String(seconds)], {
    encoding: "utf8",
  });
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  expect(stdout).toMatch(/decode: \d+ executions/);
});
