/**
 * Writes the simulated voyage as a recording, text of `candump -L`:
 *
 *     node scripts/simulate.mjs FILE [FRAMES]
 */
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { sourceModule } from "./bundle.mjs";

/** Start of the voyage, constant, so that the file is always the same. */
const START = Date.UTC(2026, 10, 21, 8, 14, 26);

/** Writes at least `minFrames` frames of the voyage to `file`; returns their number. */
export async function writeCandump(file, minFrames) {
  const { simulatedCandump } = await sourceModule("src/services/simulation/candump-text.ts");
  const out = createWriteStream(file);
  let count = 0;
  for (const text of simulatedCandump(Number.POSITIVE_INFINITY, START)) {
    count += text.split("\n").length - 1;
    if (!out.write(text)) await once(out, "drain");
    if (count >= minFrames) break;
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
