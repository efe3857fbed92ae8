/**
 * Builds dist/swagger, the folder that hub-configd serves at `/`: Swagger UI, the console's pages, the documentation,
 * and openapi.json, generated from the endpoints. Runs after the daemons are built, which empties dist.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { sourceModule } from "./bundle.mjs";
import { packagesIn } from "./copyright.mjs";
import { buildDocs } from "./docs.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The files of Swagger UI that are served; its licence requires LICENSE and NOTICE. */
const parts = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png", "LICENSE", "NOTICE"];

/** The text of openapi.json, from the TypeScript that defines the endpoints. */
async function documentText(version) {
  const { openApiText } = await sourceModule("src/services/api/openapi.ts");
  return openApiText(version);
}

/** Builds the folder from scratch. Returns the folders in node_modules whose code is in it. */
export async function buildConsole(target = join(root, "dist/swagger")) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const swagger = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const part of parts) copyFileSync(join(swagger, part), join(target, part));
  for (const page of ["index.html", "console.css"])
    copyFileSync(join(root, "src/web/console", page), join(target, page));
  const { metafile } = await build({
    entryPoints: [join(root, "src/web/console/console.js")],
    outdir: target,
    absWorkingDir: root,
    bundle: true,
    format: "esm",
    legalComments: "none",
    metafile: true,
    logLevel: "error",
  });
  writeFileSync(join(target, "openapi.json"), await documentText(version));
  await buildDocs(join(target, "docs"));
  return ["node_modules/swagger-ui-dist", ...Object.values(metafile.outputs).flatMap(packagesIn)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildConsole();
