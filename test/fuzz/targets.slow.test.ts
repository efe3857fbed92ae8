/** Every fuzz target accepts its seeds, some inputs made of them, and all inputs that have failed once. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { size } from "../support/size.ts";
import { mutate, randomFrom } from "./mutation.ts";
import { folderOf, targets } from "./targets.ts";

describe.each(targets)("$name", (target) => {
  const folder = join("test/fuzz/found", folderOf(target.name));
  const found = existsSync(folder) ? readdirSync(folder) : [];

  test(`stands up to its ${target.seeds.length} seeds`, async () => {
    for (const seed of target.seeds) await target.run(seed);
  });

  test("stands up to inputs made of them", async () => {
    const random = randomFrom(1);
    for (let count = 0; count < size(50, 300); count++) await target.run(mutate(target.seeds, random, 1024));
  });

  test.each(found)("stands up to %s", async (name) => {
    await target.run(new Uint8Array(readFileSync(join(folder, name))));
  });
});
