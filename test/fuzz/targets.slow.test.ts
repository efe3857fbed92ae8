/** Every fuzz target accepts its seeds and all inputs that have failed once. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { folderOf, targets } from "./targets.ts";

describe.each(targets)("$name", (target) => {
  const folder = join("test/fuzz/found", folderOf(target.name));
  const found = existsSync(folder) ? readdirSync(folder) : [];

  test(`stands up to its ${target.seeds.length} seeds`, async () => {
    for (const seed of target.seeds) await target.run(seed);
  });

  test.each(found)("stands up to %s", async (name) => {
    await target.run(new Uint8Array(readFileSync(join(folder, name))));
  });
});
