/** On a fresh checkout nothing is installed, and an import of what is not there ends a script before it can install it. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

/** What a module and those it imports from the checkout import from elsewhere. */
function importsOf(module: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(module)) return [];
  seen.add(module);
  const names = [...readFileSync(module, "utf8").matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)"/gm)].map(
    ([, name]) => name!,
  );
  return names.flatMap((name) => (name.startsWith(".") ? importsOf(join(dirname(module), name), seen) : [name]));
}

/** Those that do not begin with Node are for who works on the code, with everything installed. */
const runs = Object.keys(scripts).filter((name) => scripts[name]!.startsWith("node "));

test.each([...new Set(["start", "test", "build", ...runs])])("npm run %s sets up first", (name) => {
  expect(scripts[name]).toMatch(/^node scripts\/setup\.mjs( && |$)/);
});

test("setting up imports only what Node has", () => {
  const imports = importsOf("scripts/setup.mjs");
  expect(imports.length).toBeGreaterThan(0);
  expect(imports.filter((name) => !name.startsWith("node:"))).toEqual([]);
});
