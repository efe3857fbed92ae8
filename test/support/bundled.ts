/** A piece of TypeScript as one file that a child process can run, bundled as the daemons are. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { build } from "esbuild";

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
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
  });
  return outfile;
}
