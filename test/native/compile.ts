/**
 * Compiles C++ for tests: all sources of a folder as one, and only if one or a header has changed.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { asOneSource } from "../../scripts/addon.mjs";

const run = promisify(execFile);

const changed = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const headers = ["native", "native/test", "native/fuzz"].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".h"))
    .map((name) => join(folder, name)),
);

/** The sources that need no Node; those of `native/node/` are tested through it. */
export const withoutNode: readonly string[] = readdirSync("native")
  .filter((name) => name.endsWith(".cc"))
  .map((name) => join("native", name));

/**
 * Builds `program` from `sources` with g++. The folder `objects` beside it holds the objects of all programs with the
 * same flags. Rejects with the output of g++ when it warns.
 */
export async function compile(
  program: string,
  sources: readonly string[],
  flags: readonly string[],
  objects: string,
): Promise<void> {
  const common = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-pthread", ...flags];
  const folder = join(dirname(program), objects);
  mkdirSync(folder, { recursive: true });
  const newestHeader = Math.max(...headers.map(changed));
  const parts = [...new Set(sources.map(dirname))].map((place) => {
    const together = sources.filter((source) => dirname(source) === place);
    // Programs of other sources have other objects.
    const digest = createHash("sha256").update(together.join()).digest("hex").slice(0, 8);
    const newest = Math.max(newestHeader, ...together.map(changed));
    return { together, newest, object: join(folder, `${place.replaceAll("/", "-")}-${digest}.o`) };
  });
  const left = parts.filter(({ newest, object }) => changed(object) <= newest);
  if (left.length === 0 && parts.every(({ object }) => changed(object) < changed(program))) return;
  await Promise.all(
    left.map(({ together, object }) => run("g++", [...common, "-c", ...asOneSource(together), "-o", object])),
  );
  await run("g++", [...common, ...parts.map(({ object }) => object), "-o", program]);
}
