/**
 * Builds dist/display, the static page of the display: bundled, with the content hash in the name of each file, and a
 * service worker that lists them. Every address is relative, so that it can be served below any path.
 */
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { coastFiles, coastInputs } from "./coast.mjs";
import { formsAsData } from "./forms-as-data.mjs";
import { buildWasm, wasmProblem } from "./wasm.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "src/web/display");

/** `soon`: small parts that are loaded on demand, and that the first page needs. */
const pages = [
  { name: "index.html", script: "main.tsx", soon: ["sailing-marks.tsx"] },
  { name: "fleet.html", script: "fleet.tsx", soon: [] },
];

/**
 * Options of all builds.
 *
 * @type {import("esbuild").BuildOptions & { metafile: true }}
 */
const common = {
  entryNames: "[name]-[hash]",
  bundle: true,
  format: "esm",
  target: ["chrome111", "firefox113", "safari16.4"],
  minify: true,
  legalComments: "linked",
  metafile: true,
  logLevel: "error",
  tsconfig: join(source, "tsconfig.json"),
};

/**
 * Builds the worker of the page Recordings, and its reassembler, into the folder; gives the name of the script, and
 * undefined without a compiler for WebAssembly.
 */
async function buildRecordings(target) {
  const problem = wasmProblem();
  if (problem !== undefined) {
    console.error(`hub: the page Recordings is left out: ${problem}`);
    return undefined;
  }
  const bytes = readFileSync(buildWasm());
  const reassembler = `reassembler-${createHash("sha256").update(bytes).digest("hex").slice(0, 8).toUpperCase()}.wasm`;
  writeFileSync(join(target, reassembler), bytes);
  const { metafile } = await build({
    ...common,
    entryPoints: [{ in: join(source, "recordings/worker.ts"), out: "recordings" }],
    plugins: [withoutEval],
    outdir: target,
    define: { HUB_REASSEMBLER: JSON.stringify(reassembler) },
  });
  const script = Object.keys(metafile.outputs).find((file) => file.endsWith(".js"));
  return { script: basename(script ?? ""), metafile };
}

/** zod would compile its checks with `new Function`, which the Content-Security-Policy forbids. */
const withoutEval = {
  name: "without-eval",
  /** @param {import("esbuild").PluginBuild} build */
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^zod$/ }, ({ path, namespace }) =>
      namespace === "without-eval" ? undefined : { path, namespace: "without-eval" },
    );
    onLoad({ filter: /./, namespace: "without-eval" }, () => ({
      contents: 'import * as z from "zod";\nz.config({ jitless: true });\nexport * from "zod";',
      resolveDir: root,
    }));
  },
};

/** Copied unchanged. */
const parts = ["manifest.webmanifest", "icon.svg", "icon-192.png", "icon-512.png"];

/** Writes a file into `target`, with each `%NAME%` replaced by its value. */
function fill(target, name, values, folder = source) {
  const text = readFileSync(join(folder, name), "utf8");
  const filled = Object.entries(values).reduce((all, [key, value]) => all.replaceAll(`%${key}%`, value), text);
  writeFileSync(join(target, name), filled);
}

/** The files that an output imports, itself first, unless they are in `known`. */
function importsOf(outputs, file, known = new Set()) {
  if (known.has(file)) return [];
  known.add(file);
  const imports = outputs[file].imports.filter(({ kind }) => kind === "import-statement");
  return [file, ...imports.flatMap(({ path }) => importsOf(outputs, path, known))];
}

/**
 * Lets a browser ask for all scripts of a page at once; otherwise it would ask for those of a script when it has read
 * that. Those that come on demand are last.
 */
function preloadsOf(outputs, file, soon) {
  const known = new Set();
  const first = importsOf(outputs, file, known).slice(1);
  const later = Object.entries(outputs)
    .filter(([, { entryPoint }]) => entryPoint !== undefined && soon.includes(basename(entryPoint)))
    .flatMap(([output]) => importsOf(outputs, output, known));
  const link = (/** @type {string} */ attributes) => (/** @type {string} */ output) =>
    `<link rel="modulepreload"${attributes} href="${basename(output)}" />`;
  return [...first.map(link("")), ...later.map(link(' fetchpriority="low"'))].join("\n    ");
}

/** Script and style of the first paint; the script is no module, because a module runs when the whole page has been read. */
async function buildFirst(target) {
  const { metafile } = await build({
    ...common,
    entryPoints: [join(source, "first-light.ts")],
    outdir: target,
    format: "iife",
  });
  const named = (/** @type {string} */ ending) =>
    basename(Object.keys(metafile.outputs).find((file) => file.endsWith(ending)) ?? "");
  return { FIRST: named(".js"), FIRST_STYLE: named(".css"), metafile };
}

/** Endings of the files that compression makes much smaller, whichever version of it: the coastline is packed already. */
const COMPRESSED = /\.(css|html|js|svg|wasm|webmanifest)$/;

/** Files that are compressed once, beside the files themselves; servers send them as they are. */
function compress(target) {
  for (const name of readdirSync(target).filter((each) => COMPRESSED.test(each))) {
    const bytes = readFileSync(join(target, name));
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(join(target, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    writeFileSync(join(target, `${name}.br`), brotliCompressSync(bytes, { params }));
  }
}

/** Builds the folder from scratch. */
async function buildDisplay(target = join(root, "dist/display")) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const recordings = await buildRecordings(target);
  const first = await buildFirst(target);
  const coast = coastFiles();
  for (const { file, bytes } of coast) writeFileSync(join(target, file), bytes);
  const coastNames = Object.fromEntries(coast.map(({ name, file }) => [name, file]));
  const { metafile } = await build({
    ...common,
    entryPoints: pages.map(({ script }) => ({ in: join(source, script), out: basename(script, ".tsx") })),
    outdir: target,
    chunkNames: "[name]-[hash]",
    splitting: true,
    plugins: [withoutEval, formsAsData],
    define: {
      HUB_VERSION: JSON.stringify(version),
      HUB_RECORDINGS_WORKER: JSON.stringify(recordings?.script) ?? "undefined",
      // A text, because esbuild puts objects into a part that every page loads.
      HUB_COAST: JSON.stringify(JSON.stringify(coastNames)),
    },
  });
  // For the copyright file of the package; beside the folder, because it is not served.
  const inputs = { ...metafile.inputs, ...first.metafile.inputs, ...recordings?.metafile.inputs };
  const outputs = {
    ...metafile.outputs,
    ...first.metafile.outputs,
    ...recordings?.metafile.outputs,
    "coast-*.bin": { inputs: coastInputs },
  };
  writeFileSync(`${target}.meta.json`, JSON.stringify({ inputs, outputs }));
  for (const [file, { entryPoint, cssBundle = "" }] of Object.entries(metafile.outputs)) {
    const page = pages.find(({ script }) => entryPoint?.endsWith(`/${script}`));
    if (page === undefined) continue;
    const [PRELOADS, { FIRST, FIRST_STYLE }] = [preloadsOf(metafile.outputs, file, page.soon), first];
    const values = { SCRIPT: basename(file), STYLE: basename(cssBundle), FIRST, FIRST_STYLE, PRELOADS };
    fill(target, page.name, values);
  }
  for (const part of parts) copyFileSync(join(source, part), join(target, part));
  const files = readdirSync(target)
    .filter((name) => !name.endsWith(".txt"))
    .sort();
  const hash = createHash("sha256");
  for (const name of files) hash.update(name).update(readFileSync(join(target, name)));
  // A boat needs few files of the coastline; they are cached when they are first used.
  const kept = ["./", ...files.filter((name) => name !== "index.html" && !name.endsWith(".bin"))];
  const values = { FILES: kept.join(" "), BUILD: hash.digest("hex").slice(0, 12) };
  fill(target, "service-worker.js", values);
  for (const { name } of pages) fill(target, name, values, target);
  compress(target);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildDisplay();
