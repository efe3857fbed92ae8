/**
 * Compiles C++ for tests: each source by itself, as many in parallel as there are processors, and only if it or a
 * header has changed.
 */
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

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
  const parts = sources.map((source) => ({ source, object: join(folder, `${source.replaceAll("/", "-")}.o`) }));
  const left = parts.filter(({ source, object }) => changed(object) <= Math.max(changed(source), newestHeader));
  if (left.length === 0 && parts.every(({ object }) => changed(object) < changed(program))) return;
  const work = async (): Promise<void> => {
    for (let part = left.pop(); part !== undefined; part = left.pop())
      await run("g++", [...common, "-c", part.source, "-o", part.object]);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  await run("g++", [...common, ...parts.map(({ object }) => object), "-o", program]);
}
