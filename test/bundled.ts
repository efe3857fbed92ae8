/** A piece of TypeScript as one file that a child process can run, bundled as the daemons are. */
import { randomUUID } from "node:crypto";
import { copyFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { coverageFolder } from "./child-coverage.ts";

/** Writes the bundle of `source`, whose imports are relative to the checkout, into `folder` and returns its path. */
export async function bundled(folder: string, source: string): Promise<string> {
  const outfile = join(folder, `${randomUUID()}.mjs`);
  await build({
    stdin: { contents: source, loader: "ts", resolveDir: process.cwd() },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error",
    sourcemap: coverageFolder === undefined ? false : "inline",
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
  });
  // The test removes its own one before anybody can look into it.
  if (coverageFolder !== undefined) copyFileSync(outfile, join(coverageFolder, basename(outfile)));
  return outfile;
}
