/**
 * The C++ of the addon without Node: compiles `native/test/` with some flags, runs it once, and shows each case as a
 * test.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { titled } from "../support/size.ts";
import { compile, withoutNode } from "./compile.ts";

/** The files of cases. */
export const allCases: readonly string[] = readdirSync("native/test")
  .filter((name) => name.endsWith("_test.cc"))
  .map((name) => join("native/test", name));

const casesOf = (files: readonly string[]): string[] =>
  files.flatMap((file) => [...readFileSync(file, "utf8").matchAll(/^CASE\(\s*"([^"]+)"\)/gm)].map(([, name]) => name!));

export interface Variant {
  readonly name: string;
  readonly files: readonly string[];
  readonly flags: readonly string[];
}

/** Why nothing is compiled, or undefined. */
export const withoutCompiler: string | undefined =
  process.env.CI === "true" || spawnSync("g++", ["--version"]).status === 0 ? undefined : "g++ is not installed";

/** Declares the cases of each variant. */
export function nativeCases(variants: readonly Variant[]): void {
  describe.skipIf(withoutCompiler !== undefined)(titled("native", withoutCompiler), () => {
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
      });

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
}
