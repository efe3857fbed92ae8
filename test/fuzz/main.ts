/**
 * Fuzzes what is TypeScript, guided by coverage: `main.mjs SECONDS FOLDER SEED [TARGET]`. An input that fails is
 * shortened, written to the folder and named; then the status is 1. Bundled and started by `scripts/fuzz.mjs`.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { coverageOf } from "./coverage-feedback.ts";
import { mutate, randomFrom } from "./mutation.ts";
import type { Target } from "./target.ts";
import { folderOf, targets } from "./targets.ts";

/**
 * Inputs between two readings of the coverage, each of which costs as much as many inputs: fewer while it grows, more
 * while not.
 */
const FEWEST = 64;
/** Inputs that every target gets beside its seeds, however slow it is. */
const LEAST = 16;
const MOST = 4096;
const LONGEST = 1024;
/** A failing input is tried so often with a piece less. */
const SHORTENINGS = 400;

const failureOf = async (target: Target, bytes: Uint8Array): Promise<unknown> => {
  try {
    await target.run(bytes);
    return undefined;
  } catch (error) {
    return error ?? new Error("threw nothing");
  }
};

async function shortened(target: Target, bytes: Uint8Array, random: (limit: number) => number): Promise<Uint8Array> {
  let best = bytes;
  for (let attempt = 0; attempt < SHORTENINGS; attempt++) {
    const at = random(best.length);
    const less = Uint8Array.from([...best.subarray(0, at), ...best.subarray(at + 1 + random(best.length - at))]);
    if (less.length < best.length && (await failureOf(target, less)) !== undefined) best = less;
  }
  return best;
}

const [seconds, folder, seed, only] = process.argv.slice(2);
const own = import.meta.url;
const coverage = coverageOf(own, statSync(fileURLToPath(own)).size);
const chosen = targets.filter(({ name }) => only === undefined || name === only);
let isGood = true;

for (const target of chosen) {
  const random = randomFrom(Number(seed) + targets.indexOf(target));
  const kept = join(folder!, folderOf(target.name));
  const found = existsSync(kept) ? readdirSync(kept) : [];
  const inputs = [...target.seeds, ...found.map((name) => new Uint8Array(readFileSync(join(kept, name))))];
  const end = performance.now() + (Number(seconds) * 1000) / chosen.length;
  const begin = performance.now();
  let executions = 0;
  let failure: { readonly bytes: Uint8Array; readonly error: unknown } | undefined;
  const run = async (bytes: Uint8Array): Promise<void> => {
    executions++;
    const error = await failureOf(target, bytes);
    if (error !== undefined) failure ??= { bytes, error };
  };
  for (const bytes of inputs) await run(bytes);
  coverage.fresh(true);
  /**
   * Keeps the inputs of a batch that reach new code, found by bisection, because reading the coverage costs as much as
   * many inputs.
   */
  const keepTelling = async (batch: readonly Uint8Array[]): Promise<void> => {
    for (const bytes of batch) await run(bytes);
    if (coverage.fresh(batch.length === 1) === 0) return;
    if (batch.length === 1) inputs.push(batch[0]!);
    else {
      await keepTelling(batch.slice(0, batch.length >> 1));
      await keepTelling(batch.slice(batch.length >> 1));
    }
  };
  for (let size = LEAST; failure === undefined && (size === LEAST || performance.now() < end); ) {
    const before = inputs.length;
    await keepTelling(Array.from({ length: size }, () => mutate(inputs, random, LONGEST)));
    size = Math.max(FEWEST, inputs.length > before ? size >> 1 : Math.min(MOST, size << 1));
  }
  const took = (performance.now() - begin) / 1000;
  console.log(
    `${target.name}: ${executions} executions, ${Math.round(executions / took)} a second, ${inputs.length} inputs, ${coverage.covered} characters reached`,
  );
  if (failure === undefined) continue;
  isGood = false;
  const bytes = await shortened(target, failure.bytes, random);
  const name = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  mkdirSync(kept, { recursive: true });
  writeFileSync(join(kept, name), bytes);
  console.log(
    `${target.name}: ${String(await failureOf(target, bytes))}\n  ${join(kept, name)}: ${JSON.stringify(Buffer.from(bytes).toString("latin1").slice(0, 300))}`,
  );
  const { stack } = failure.error as Error;
  console.log(stack);
}
process.exit(isGood ? 0 : 1);
