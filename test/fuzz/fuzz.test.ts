/** What fuzzing has found in native/ stays found, and fuzzing of all targets goes on for a while: a minute where CI=true. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const native = readdirSync("native/fuzz")
  .filter((name) => name.endsWith("_fuzz.cc"))
  .map((name) => name.replace("_fuzz.cc", ""));
const parts = readdirSync("native")
  .filter((name) => name.endsWith(".cc") && !/^(addon|can_bus|interface_object)\.cc$/.test(name))
  .map((name) => join("native", name));
const inputs = ["native", "native/fuzz"].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => /\.(cc|h)$/.test(name))
    .map((name) => join(folder, name)),
);

const hasCompiler = spawnSync("g++", ["--version"]).status === 0 || process.env.CI === "true";

describe.skipIf(!hasCompiler)(hasCompiler ? "native" : "native (skipped: no g++)", () => {
  test.each(native)("%s stands up to its inputs", { timeout: 300_000 }, (name) => {
    const program = join("build/native-test", `replay-${name}`);
    const built = statSync(program, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (inputs.some((input) => statSync(input).mtimeMs > built)) {
      mkdirSync("build/native-test", { recursive: true });
      const flags = ["-std=c++17", "-O1", "-g1", "-Wall", "-Wextra", "-Werror", "-fno-sanitize-recover=all"];
      const sources = [join("native/fuzz", `${name}_fuzz.cc`), "native/fuzz/replay.cc", ...parts];
      const arguments_ = [...flags, "-fsanitize=address,undefined", ...sources, "-o", program, "-pthread"];
      expect(spawnSync("g++", arguments_, { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
    }
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
