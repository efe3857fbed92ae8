/** Builds the documentation site in the console's folder, from `docs/` and from the programs; see `src/web/docs`. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { publicPgnTable } from "./public-pgns.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A module of `src/web/docs`, bundled. */
export async function docsModule(name) {
  const folder = mkdtempSync(join(tmpdir(), "hub-docs-"));
  try {
    const outfile = join(folder, "module.mjs");
    const entryPoints = [join(root, `src/web/docs/${name}.ts`)];
    await build({ entryPoints, outfile, bundle: true, format: "esm", platform: "node", logLevel: "error" });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Builds the folder from scratch. */
export async function buildDocs(target = join(root, "dist/swagger/docs")) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { chapterNames, siteFiles } = await docsModule("site");
  const chapters = Object.fromEntries(
    chapterNames.map((name) => [name, readFileSync(join(root, `docs/${name}.md`), "utf8")]),
  );
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const [name, text] of siteFiles(chapters, version, await publicPgnTable()))
    writeFileSync(join(target, name), text);
  for (const part of ["site.css", "filter.js", "search.js"])
    copyFileSync(join(root, "src/web/docs", part), join(target, part));
  // The example of a display loads this file, so that it needs no Internet.
  const mqtt = dirname(createRequire(import.meta.url).resolve("mqtt/package.json"));
  copyFileSync(join(mqtt, "dist/mqtt.esm.js"), join(target, "mqtt.esm.js"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildDocs();
