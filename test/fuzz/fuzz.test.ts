/** What fuzzing has found in native/ stays found, and fuzzing of all targets goes on for a while: a minute where CI=true. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compile, withoutNode } from "../native/compile.ts";

const native = readdirSync("native/fuzz")
  .filter((name) => name.endsWith("_fuzz.cc"))
  .map((name) => name.replace("_fuzz.cc", ""));
const hasCompiler = spawnSync("g++", ["--version"]).status === 0 || process.env.CI === "true";

describe.skipIf(!hasCompiler)(hasCompiler ? "native" : "native (skipped: no g++)", () => {
  test.each(native)("%s stands up to its inputs", { timeout: 300_000 }, async (name) => {
    const program = join("build/native-test", `replay-${name}`);
    const sources = [join("native/fuzz", `${name}_fuzz.cc`), "native/fuzz/replay.cc", ...withoutNode];
    const flags = ["-O1", "-g1", "-fno-sanitize-recover=all", "-fsanitize=address,undefined"];
    await compile(program, sources, flags, "replay-objects");
    const folder = join("native/fuzz/seeds", name);
    const files = readdirSync(folder).map((file) => join(folder, file));
    expect(spawnSync(program, files, { encoding: "utf8" })).toMatchObject({ stdout: `${files.length}\n`, status: 0 });
  });
});

const isLong = process.env.CI === "true";
const seconds = isLong ? 60 : 10;
const hasClang = ["clang++", ...Array.from({ length: 12 }, (_, index) => `clang++-${25 - index}`)].some(
  (name) => spawnSync(name, ["--version"]).status === 0,
);

test(`fuzzing for ${seconds} s finds nothing${hasClang || isLong ? "" : " (the C++ is left out: no clang)"}`, {
  timeout: 600_000,
}, () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/fuzz.mjs", String(seconds)], {
    encoding: "utf8",
  });
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  expect(stdout).toMatch(/decode: \d+ executions/);
});
