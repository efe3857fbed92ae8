/**
 * The addon's C++ without Node: compiles `native/test/` as it is, with AddressSanitizer and UndefinedBehaviorSanitizer,
 * and with ThreadSanitizer what has two threads, and shows each case as a test of its own.
 */
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";

const run = promisify(execFile);

const names = (folder: string): string[] => readdirSync(folder).map((name) => join(folder, name));
const tests = names("native/test").filter((name) => name.endsWith("_test.cc"));
// What needs Node is tested through it, in test/adapters.
const subject = names("native").filter(
  (name) => name.endsWith(".cc") && !/(addon|can_bus|interface_object)\.cc$/.test(name),
);
const inputs = [...names("native"), ...names("native/test")].filter((name) => /\.(cc|h)$/.test(name));

const casesOf = (files: readonly string[]): string[] =>
  files.flatMap((file) => [...readFileSync(file, "utf8").matchAll(/^CASE\(\s*"([^"]+)"\)/gm)].map(([, name]) => name!));

interface Variant {
  readonly name: string;
  readonly files: readonly string[];
  readonly flags: readonly string[];
}

const sanitizers = ["-O1", "-g1", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all"];
const variants: readonly Variant[] = [
  { name: "plain", files: tests, flags: ["-O2", "-Werror"] },
  { name: "address-undefined", files: tests, flags: [...sanitizers, "-fsanitize=address,undefined"] },
  {
    name: "thread",
    files: tests.filter((name) => name.endsWith("threads_test.cc")),
    flags: [...sanitizers, "-fsanitize=thread"],
  },
];

/** Compiles a variant unless it is newer than its sources; returns the path of the program. */
async function build({ name, files, flags }: Variant): Promise<string> {
  const program = join("build/native-test", name);
  const built = statSync(program, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (inputs.some((input) => statSync(input).mtimeMs > built)) {
    mkdirSync("build/native-test", { recursive: true });
    const sources = [...subject, ...files, "native/test/main.cc"];
    await run("g++", ["-std=c++17", "-Wall", "-Wextra", ...flags, ...sources, "-o", program, "-pthread"]);
  }
  return program;
}

const hasCompiler = spawnSync("g++", ["--version"]).status === 0 || process.env.CI === "true";

describe.skipIf(!hasCompiler)(hasCompiler ? "native" : "native (skipped: no g++)", () => {
  describe.each(variants)("$name", (variant) => {
    /** What each case that has run to its end had to say. */
    const outcomes = new Map<string, string>();
    let ending = "";

    beforeAll(async () => {
      const { status, signal, stdout, stderr } = spawnSync(await build(variant), { encoding: "utf8" });
      for (const [, verdict, name, why] of stdout.matchAll(/^(ok|FAILED) (.*)\n((?: {2}.*\n)*)/gm)) {
        outcomes.set(name!, verdict === "ok" ? "ok" : why!);
      }
      ending = `status ${status} ${signal ?? ""}\n${stderr}`;
    }, 300_000);

    test.each(casesOf(variant.files))("%s", (name) => {
      expect(outcomes.get(name) ?? `did not come to its end: ${ending}`).toBe("ok");
    });

    test("the program ends well, and no case is missing here", () => {
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
    const { stderr } = spawnSync("clang-format", ["--dry-run", "--Werror", ...inputs], { encoding: "utf8" });
    expect(stderr).toBe("");
  },
);
