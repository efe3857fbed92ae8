/**
 * The C++ of the addon without Node: compiles `native/test/` plain, with AddressSanitizer and UndefinedBehaviorSanitizer, and
 * the cases with two threads with ThreadSanitizer, and shows each case as a test.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { compile, withoutNode } from "./compile.ts";

const tests = readdirSync("native/test")
  .filter((name) => name.endsWith("_test.cc"))
  .map((name) => join("native/test", name));

const casesOf = (files: readonly string[]): string[] =>
  files.flatMap((file) => [...readFileSync(file, "utf8").matchAll(/^CASE\(\s*"([^"]+)"\)/gm)].map(([, name]) => name!));

interface Variant {
  readonly name: string;
  readonly files: readonly string[];
  readonly flags: readonly string[];
}

const sanitizers = ["-O1", "-g1", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all"];
const variants: readonly Variant[] = [
  { name: "plain", files: tests, flags: ["-O2"] },
  { name: "address-undefined", files: tests, flags: [...sanitizers, "-fsanitize=address,undefined"] },
  {
    name: "thread",
    files: tests.filter((name) => name.endsWith("threads_test.cc")),
    flags: [...sanitizers, "-fsanitize=thread"],
  },
];

const hasCompiler = spawnSync("g++", ["--version"]).status === 0 || process.env.CI === "true";

describe.skipIf(!hasCompiler)(hasCompiler ? "native" : "native (skipped: no g++)", () => {
  describe.each(variants)("$name", (variant) => {
    /** "ok" or the failures of each case that has ended. */
    const outcomes = new Map<string, string>();
    let ending = "";

    beforeAll(async () => {
      const program = join("build/native-test", variant.name);
      await compile(
        program,
        [...withoutNode, ...variant.files, "native/test/main.cc"],
        variant.flags,
        `${variant.name}-objects`,
      );
      const { status, signal, stdout, stderr } = spawnSync(program, { encoding: "utf8" });
      for (const [, verdict, name, why] of stdout.matchAll(/^(ok|FAILED) (.*)\n((?: {2}.*\n)*)/gm)) {
        outcomes.set(name!, verdict === "ok" ? "ok" : why!);
      }
      ending = `status ${status} ${signal ?? ""}\n${stderr}`;
    }, 300_000);

    test.each(casesOf(variant.files))("%s", (name) => {
      expect(outcomes.get(name) ?? `did not come to its end: ${ending}`).toBe("ok");
    });

    test("the program ends by itself, and no case is missing", () => {
      const failed = [...outcomes.values()].some((outcome) => outcome !== "ok");
      expect(ending).toMatch(failed ? /^status 1 / : /^status 0 \n$/);
      expect([...outcomes.keys()].sort()).toEqual(casesOf(variant.files).sort());
    });
  });
});

const hasFormatter = spawnSync("clang-format", ["--version"]).status === 0 || process.env.CI === "true";

test.skipIf(!hasFormatter)(
  hasFormatter ? "native/ is formatted" : "native/ is formatted (skipped: no clang-format)",
  () => {
    const files = ["native", "native/node", "native/test", "native/fuzz"].flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => /\.(cc|h)$/.test(name))
        .map((name) => join(folder, name)),
    );
    const { stderr } = spawnSync("clang-format", ["--dry-run", "--Werror", ...files], { encoding: "utf8" });
    expect(stderr).toBe("");
  },
);
