/** Shared by all benchmarks: sides that take turns, medians, and modules of `src/` to measure in this process. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** The middle one, or the mean of the two in the middle. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

/** The value below which a share of the sorted values lies. */
export const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

/** Slope of the least-squares line through `points` of [x, y]. */
export function slope(points) {
  const mean = (pick) => points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const [x, y] = [mean(([x]) => x), mean(([, y]) => y)];
  return mean((point) => (point[0] - x) * (point[1] - y)) / mean((point) => (point[0] - x) ** 2);
}

/**
 * Rounds in which each side has a turn; resolves with the measurements by side, without those of the warm-up. `measure`
 * gets the side and the number of the round, negative during the warm-up.
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

/** The median of each member of the measurements of a side. */
export const medians = (measurements) =>
  Object.fromEntries(
    Object.keys(measurements[0]).map((name) => [name, median(measurements.map((each) => each[name]))]),
  );

/**
 * Compares the first side with the others, in turn: prints the medians of the members of the measurements (`value` in
 * `unit`, and more by name) and the ratio of the first two sides in each round, computed by `ratio`; `goal` is a
 * sentence.
 */
export async function compare(title, sides, { rounds, warmUps = 1, unit, goal, ratio = (own, other) => own / other }) {
  const results = await inTurns(Object.values(sides), { rounds, warmUps }, (side) => side());
  console.log(`\n${title}, ${rounds} rounds, medians`);
  printTable(
    Object.keys(sides).map((name, index) => {
      const { value, ...more } = medians(results[index]);
      return {
        "": name,
        [unit]: value.toFixed(2),
        ...Object.fromEntries(Object.entries(more).map(([each, number]) => [each, number.toFixed(0)])),
      };
    }),
  );
  const ratios = results[0].map(({ value }, round) => ratio(value, results[1][round].value));
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((each) => each.toFixed(2));
  console.log(`  ratio ${median(ratios).toFixed(2)} (${least} to ${most}); ${goal}`);
}

/** CPU time of this process, which is valid on a busy machine too. */
export function microseconds(run) {
  const begin = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(begin);
  return user + system;
}

/** Heap bytes in use, after a collection if `--expose-gc` allows it. */
export function heap() {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** The exports of a module, given as source text relative to the checkout. */
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

/** A TCP port that is free now. */
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" ? address?.port : undefined;
}

/** Prints a table: each row an object of texts, right-aligned below the member names. */
export function printTable(rows) {
  const names = Object.keys(rows[0]);
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => row[name].length)));
  const line = (texts) => texts.map((text, index) => text.padStart(widths[index])).join("  ");
  for (const texts of [names, ...rows.map((row) => names.map((name) => row[name]))]) console.log(`  ${line(texts)}`);
}
