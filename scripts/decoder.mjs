/**
 * Makes the decoder's package of npm, dist/hub-decoder-VERSION.tgz: `npm run decoder`.
 *
 *     node scripts/decoder.mjs [FOLDER]
 *
 * The module holds the reassembler as WebAssembly and the table of public PGNs, so that no runtime has to find a file.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { sourceModule } from "./bundle.mjs";
import { copyrightText, packagesIn } from "./copyright.mjs";
import { endWithMessage, Failure } from "./failure.mjs";
import { writePublicPgns } from "./public-pgns.mjs";
import { buildWasm, linkedPackages, wasmProblem } from "./wasm.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs a program; its output. */
function run(program, args, cwd = root) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Failure(`${program} ${args.join(" ")}: ${error ?? `${stdout}${stderr}`}`);
  return stdout;
}

/** Writes the module as ESM for all runtimes; the npm packages whose code or facts are inside. */
async function writeModule(folder, scratch) {
  const table = join(scratch, "public-pgns.txt");
  await writePublicPgns(table);
  const { metafile } = await build({
    entryPoints: [join(root, "src/web/decoder/index.ts")],
    outfile: join(folder, "index.js"),
    absWorkingDir: root,
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: ["node20", "chrome111", "firefox113", "safari16.4"],
    minify: true,
    // Node.js prints the whole line of source in which an uncaught error was thrown.
    lineLimit: 160,
    legalComments: "none",
    metafile: true,
    logLevel: "error",
    define: {
      HUB_REASSEMBLER_BASE64: JSON.stringify(readFileSync(buildWasm(), "base64")),
      HUB_PUBLIC_PGNS: JSON.stringify(readFileSync(table, "latin1")),
    },
  });
  const inside = Object.values(metafile.outputs).flatMap(packagesIn);
  return [...new Set([...inside, "node_modules/@canboat/ts-pgns"])].sort();
}

/** The type of a value with this schema; members of objects are read-only and, but those that are required, optional. */
function typeOf({ type, const: value, enum: values, anyOf, items, properties, required = [] }) {
  if (value !== undefined) return JSON.stringify(value);
  if (values !== undefined) return values.map((each) => JSON.stringify(each)).join(" | ");
  if (anyOf !== undefined) return anyOf.map(typeOf).join(" | ");
  if (type === "array") return `readonly (${typeOf(items)})[]`;
  if (properties === undefined) return type === "integer" ? "number" : type;
  const members = Object.entries(properties).map(
    ([name, each]) => `readonly ${JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${typeOf(each)};`,
  );
  return `{ ${members.join(" ")} }`;
}

/** `Fields` of the entry, from the schemas of the messages. */
const fieldTypes = (contract) =>
  [...contract].flatMap(([name, text]) => {
    const pgn = /^schemas\/pgn-(\d+)\.schema\.json$/.exec(name)?.[1];
    if (pgn === undefined) return [];
    const { title, properties } = JSON.parse(text);
    return [`  /** ${title} */\n  readonly ${pgn}: ${typeOf(properties.data)};\n`];
  });

/** Writes the declarations of the entry, which names no other file. */
function writeTypes(folder, scratch, contract) {
  const project = join(scratch, "tsconfig.json");
  const types = join(scratch, "types");
  const compilerOptions = {
    ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: root, outDir: types },
    ...{ types: ["node"], typeRoots: [join(root, "node_modules/@types")] },
  };
  const files = [join(root, "src/web/decoder/index.ts")];
  writeFileSync(project, JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions, files, include: [] }));
  run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", project]);
  const entry = readFileSync(join(types, "src/web/decoder/index.d.ts"), "utf8");
  const fields = `export interface Fields {\n${fieldTypes(contract).join("")}}\n`;
  writeFileSync(join(folder, "index.d.ts"), `${entry}\n${fields}`);
}

/** The notices of others: as in a Debian package, with the licence beside them in place of Debian's. */
const notices = (parts) =>
  copyrightText(root, { "index.js": parts }, [], { "index.js": linkedPackages() })
    .replace("On Debian systems the License is in /usr/share/common-licenses/Apache-2.0.", "The License is in LICENSE.")
    .replaceAll("The licence is in /usr/share/common-licenses/Apache-2.0.", "The licence is in LICENSE.");

async function main() {
  const problem = wasmProblem();
  if (problem !== undefined) throw new Failure(problem);
  const out = resolve(process.argv[2] ?? join(root, "dist"));
  mkdirSync(out, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), "hub-decoder-"));
  try {
    const folder = join(scratch, "package");
    cpSync(join(root, "packaging/decoder"), folder, { recursive: true });
    copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
    const { contractFiles } = await sourceModule("src/web/docs/contract.ts");
    const contract = contractFiles();
    writeFileSync(join(folder, "pgns.md"), contract.get("pgns.md"));
    const parts = await writeModule(folder, scratch);
    writeTypes(folder, scratch, contract);
    writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), notices(parts));
    const [{ filename }] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", out], folder));
    console.log(join(out, filename));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

await endWithMessage(main);
