/** Builds the documentation site in the console's folder, from `docs/` and from the programs; see `src/web/docs`. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sourceModule } from "./bundle.mjs";
import { publicPgnTable } from "./public-pgns.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Builds the folder from scratch. */
export async function buildDocs(target = join(root, "dist/swagger/docs")) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { chapterNames, siteFiles } = await sourceModule("src/web/docs/site.ts");
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
