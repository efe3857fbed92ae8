/**
 * The C++ under AddressSanitizer and UndefinedBehaviorSanitizer, its cases and what fuzzing has found; cases with two
 * threads under ThreadSanitizer. Without optimization, which takes longer than the cases and leaves less to see;
 * `native.test.ts` runs the same cases as the addon is compiled.
 */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { titled } from "../support/size.ts";
import { allCases, nativeCases, withoutCompiler } from "./cases.ts";
import { compile, withoutNode } from "./compile.ts";

const common = ["-O0", "-g1", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all"];
const flags = [...common, "-fsanitize=address,undefined"];

nativeCases([
  { name: "address-undefined", files: allCases, flags },
  {
    name: "thread",
    files: allCases.filter((name) => name.endsWith("threads_test.cc")),
    flags: [...common, "-fsanitize=thread"],
  },
]);

const fuzzed = readdirSync("native/fuzz")
  .filter((name) => name.endsWith("_fuzz.cc"))
  .map((name) => name.replace("_fuzz.cc", ""));

describe.skipIf(withoutCompiler !== undefined)(titled("what fuzzing has found", withoutCompiler), () => {
  test.each(fuzzed)("%s stands up to its inputs", async (name) => {
    const program = join("build/native-test", `replay-${name}`);
    const sources = [join("native/fuzz", `${name}_fuzz.cc`), "native/fuzz/replay.cc", ...withoutNode];
    await compile(program, sources, flags, "address-undefined-objects");
    const folder = join("native/fuzz/seeds", name);
    const files = readdirSync(folder).map((file) => join(folder, file));
    expect(spawnSync(program, files, { encoding: "utf8" })).toMatchObject({ stdout: `${files.length}\n`, status: 0 });
  });
});
