/**
 * The simulated voyage as a recording, `candump -L` text, for benchmarks and for those who want to look at it:
 *
 *     node scripts/simulate.mjs FILE [FRAMES]
 */
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** When the voyage begins; the same each time, so that the file is. */
const BEGINNING = Date.UTC(2026, 10, 21, 8, 14, 26);

/** `src/simulation/candump-text.ts` as Node reads it. */
export async function candumpText() {
  const { outputFiles } = await build({
    entryPoints: [join(root, "src/simulation/candump-text.ts")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    logLevel: "error",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** Writes at least `least` frames of the voyage to `file`; gives how many there are. */
export async function writeCandump(file, least) {
  const { simulatedCandump } = await candumpText();
  const out = createWriteStream(file);
  let count = 0;
  for (const text of simulatedCandump(Number.POSITIVE_INFINITY, BEGINNING)) {
    count += text.split("\n").length - 1;
    if (!out.write(text)) await once(out, "drain");
    if (count >= least) break;
  }
  out.end();
  await finished(out);
  return count;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file, frames = "100000"] = process.argv.slice(2);
  if (file === undefined || !(Number(frames) > 0)) {
    console.error("usage: node scripts/simulate.mjs FILE [FRAMES]");
    process.exit(1);
  }
  console.log(`${file}: ${await writeCandump(file, Number(frames))} frames`);
}
