/** What all benchmarks share: sides that take turns, medians, and parts of `src/` to measure in this process. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

export const root = fileURLToPath(new URL("..", import.meta.url));

export const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/**
 * Rounds in which each side has its turn; resolves with the measurements by side. What warms up is measured too and left
 * out. `measure` is given the side and the number of the round, which is negative while warming up.
 */
export async function inTurns(sides, { rounds, warmUps = 1 }, measure) {
  const results = sides.map(() => []);
  for (let round = -warmUps; round < rounds; round++) {
    for (const [index, side] of sides.entries()) {
      const result = await measure(side, round);
      if (round >= 0) results[index].push(result);
    }
  }
  return results;
}

/** The median of each number that the measurements of a side have. */
export const medians = (measurements) =>
  Object.fromEntries(
    Object.keys(measurements[0]).map((name) => [name, median(measurements.map((each) => each[name]))]),
  );

export function microseconds(run) {
  const begin = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - begin) / 1000;
}

/** Bytes in use; all that can be collected is, where `--expose-gc` allows it. */
export function heap() {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** What the source text of a module, at the root of the checkout, exports. */
export async function exportsOf(contents) {
  const folder = mkdtempSync(join(tmpdir(), "hub-bench-"));
  const outfile = join(folder, "bundle.mjs");
  await build({
    stdin: { contents, loader: "ts", resolveDir: root },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
  });
  const exported = await import(pathToFileURL(outfile).href);
  rmSync(folder, { recursive: true });
  return exported;
}

/** A table: each row an object of texts, right-aligned below its member names. */
export function printTable(rows) {
  const names = Object.keys(rows[0]);
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => row[name].length)));
  const line = (texts) => texts.map((text, index) => text.padStart(widths[index])).join("  ");
  for (const texts of [names, ...rows.map((row) => names.map((name) => row[name]))]) console.log(`  ${line(texts)}`);
}
