/** The faults can still be planted: what they change is where they look for it. `npm run mutation` sees them caught. */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Fault {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly tests: { readonly files: readonly string[]; readonly pattern?: RegExp; readonly program?: string };
}

const { faults } = (await import("./faults.mjs" as string)) as { readonly faults: readonly Fault[] };

test.each(faults)("$name: planted at one place of $file", ({ file, from, to, tests }) => {
  expect(readFileSync(file, "utf8").split(from)).toHaveLength(2);
  expect(to).not.toBe(from);
  for (const path of tests.files) expect(existsSync(path), path).toBe(true);
});

test("each is another one", () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});
