/** TypeScript of the checkout, bundled for scripts and tests that run it in Node.js. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Writes a program, as the daemons are bundled; `input` is `{ entryPoints }` or `{ stdin }` of esbuild. */
export const writeProgram = (outfile, input) =>
  build({
    absWorkingDir: root,
    ...input,
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

/** Imports a module, by its path in the checkout. */
export async function sourceModule(path) {
  const folder = mkdtempSync(join(tmpdir(), "hub-module-"));
  try {
    const outfile = join(folder, "module.mjs");
    const entryPoints = [join(root, path)];
    await build({ entryPoints, outfile, bundle: true, format: "esm", platform: "node", logLevel: "error" });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
