/** The table of docs/errors.md against the codes and the source. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { logCodes } from "../../../src/core/ports/log-codes.ts";

const rows = [...readFileSync("docs/errors.md", "utf8").matchAll(/^\| `(\w+)` \| (warn|error) \|/gm)];

test("docs/errors.md has every code once, in the order of the table", () => {
  expect(rows.map(([, code]) => code)).toEqual([...logCodes]);
});

test("every code is used, at the level that docs/errors.md says", () => {
  const source = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith("log-codes.ts"))
    .map((path) => readFileSync(join("src", path), "utf8"))
    .join("\n");
  for (const [, code, level] of rows) {
    const uses = [
      ...source.matchAll(new RegExp(`\\.(?:#?(warn|error)\\()(?:(?!\\.#?(?:warn|error|info)\\()[^])*?"${code}"`, "g")),
    ];
    expect(uses.length, code).toBeGreaterThan(0);
    for (const [, used] of uses) expect(used, code).toBe(level);
  }
});
