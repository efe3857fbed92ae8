/**
 * Builds the Debian packages for amd64, arm64 and armhf into dist/packages: `npm run package`.
 *
 *     node scripts/package.mjs [--out FOLDER] [--display FOLDER] [--architectures amd64,arm64]
 *
 * Builds are reproducible: two builds of one commit are identical. All installed files are laid out in a temporary
 * folder, which debhelper packs; with --lay-out in this one, for debian/rules of the source package. Needs dpkg-dev,
 * debhelper and Debian's (cross) compilers.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { buildAddon } from "./addon.mjs";
import { sourceModule } from "./bundle.mjs";
import { buildConsole } from "./console.mjs";
import { copyrightText, packagesIn } from "./copyright.mjs";
import { entriesToBuild, writeDebianFolder } from "./debian.mjs";
import { endWithMessage, Failure } from "./failure.mjs";
import { writePublicPgns } from "./public-pgns.mjs";
import { sbomText } from "./sbom.mjs";
import { root } from "./setup.mjs";
import { sourceSeconds } from "./source.mjs";
import { checkFindings, readAnalysed, vexText } from "./vex.mjs";
import { linkedPackages, wasmProblem } from "./wasm.mjs";

const { values: options } = parseArgs({
  options: {
    out: { type: "string", default: join(root, "dist/packages") },
    display: { type: "string", default: join(root, "dist/display") },
    architectures: { type: "string", default: "amd64,arm64,armhf" },
    "lay-out": { type: "boolean", default: false },
  },
});

const display = resolve(options.display);

/** Ends the program with a message, after the temporary files are removed. */
const fail = (sentence) => {
  throw new Failure(sentence);
};

/**
 * The first line of a bundle starts it with the Node in the PATH; on the boat it has to be Debian's, with the same
 * flags. So the line becomes a separate script, which is installed in /usr/bin.
 */
function splitStart(folder, name) {
  const program = name.replace(/\.mjs$/, "");
  const pattern = /^#!\/usr\/bin\/env (?:-S )?node(.*)\n([\s\S]*)$/;
  const [, flags, text] = pattern.exec(readFileSync(join(folder, name), "utf8")) ?? [];
  if (text === undefined) return fail(`${name}: its first line does not start it by Node`);
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), 0o644);
  const home = program.startsWith("hub-config") ? "hub-config" : program === "hub-alarm" ? "hub-link" : program;
  writeFileSync(join(folder, program), `#!/bin/sh\nexec /usr/bin/node${flags} /usr/lib/${home}/${name} "$@"\n`, {
    mode: 0o755,
  });
}

/** Builds the programs, minified; returns a function that names the packages in each. */
async function buildPrograms(folder, environment) {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, "node_modules/tsup/dist/cli-default.js"), "--minify", "--metafile", "--silent", "--out-dir", folder],
    { cwd: root, encoding: "utf8", env: environment },
  );
  if (status !== 0) fail(stderr);
  const { outputs } = JSON.parse(readFileSync(join(folder, "metafile-esm.json"), "utf8"));
  rmSync(join(folder, "metafile-esm.json"));
  for (const name of readdirSync(folder)) splitStart(folder, name);
  await writePublicPgns(join(folder, "public-pgns.txt"));
  return (name) =>
    Object.keys(outputs)
      .filter((path) => path.endsWith(`/${name}.mjs`))
      .flatMap((path) => packagesIn(outputs[path]));
}

/** Manual pages and completions of command lines, from the option tables. */
async function writeManuals({ man, completions }, { version, date }) {
  const outfile = join(man, "manuals.mjs");
  const contents =
    'export { manuals } from "./src/daemons/program/manual-texts.ts"; export { manualPage } from "./src/daemons/program/manual.ts"; export { bashCompletion } from "./src/daemons/program/completion.ts";';
  await build({
    ...{ stdin: { contents, loader: "ts", resolveDir: root }, outfile, logLevel: "error" },
    ...{ bundle: true, format: "esm", platform: "node" },
  });
  const { manuals, manualPage, bashCompletion } = await import(pathToFileURL(outfile).href);
  rmSync(outfile);
  for (const manual of manuals) {
    writeFileSync(
      join(man, `${manual.name}.8`),
      manualPage(manual, { version, date: date.toISOString().slice(0, 10) }),
    );
    writeFileSync(join(completions, manual.name), bashCompletion(manual.name, manual.table));
  }
}

/** The packages in the display, by the metafile beside its folder. */
function displayParts() {
  const metafile = `${display}.meta.json`;
  if (!existsSync(metafile)) fail(`${metafile} is missing: the copyright file needs the packages in the display`);
  const { outputs } = JSON.parse(readFileSync(metafile, "utf8"));
  return [...new Set(Object.values(outputs).flatMap(packagesIn))].sort();
}

/** Lays out all installed files and `debian/`. */
async function layOut(folder, environment) {
  const source = new Date(Number(environment.SOURCE_DATE_EPOCH) * 1000);
  const entries = entriesToBuild();
  const inFolder = (...path) => join(folder, ...path);
  for (const name of ["program", "man", "completions", "doc"]) mkdirSync(inFolder(name), { recursive: true });
  if (!options["lay-out"]) {
    cpSync(join(root, "packaging"), inFolder("packaging"), { recursive: true });
    writeDebianFolder(folder, source);
  }
  cpSync(display, inFolder("display"), { recursive: true });

  const partsOf = await buildPrograms(inFolder("program"), environment);
  const consoleParts = await buildConsole(inFolder("swagger"));
  // Their content is in the copyright file, as Debian requires.
  for (const name of ["LICENSE", "NOTICE"]) rmSync(inFolder("swagger", name));
  await writeManuals(
    { man: inFolder("man"), completions: inFolder("completions") },
    { version: entries[0].version, date: entries[0].date ?? source },
  );
  const { contractFiles } = await sourceModule("src/web/docs/contract.ts");
  mkdirSync(inFolder("schemas"));
  for (const [name, text] of contractFiles())
    writeFileSync(name.startsWith("schemas/") ? inFolder(name) : inFolder("doc", name), text);

  const parts = {
    "hub-config": {
      "/usr/lib/hub-config/hub-configd.mjs": partsOf("hub-configd"),
      "/usr/lib/hub-config/hub-config-backup.mjs": partsOf("hub-config-backup"),
      "/usr/lib/hub-config/hub-config-fetch.mjs": partsOf("hub-config-fetch"),
      "/usr/share/hub-config/swagger": consoleParts,
    },
    "hub-cand": {
      "/usr/lib/hub-cand/hub-cand.mjs": partsOf("hub-cand"),
      "/usr/lib/hub-cand/public-pgns.txt": ["node_modules/@canboat/ts-pgns"],
      "/usr/lib/hub-cand/hub_can.node": ["node_modules/node-addon-api", "node_modules/node-api-headers"],
    },
    "hub-link": {
      "/usr/lib/hub-link/hub-link.mjs": partsOf("hub-link"),
      "/usr/lib/hub-link/hub-alarm.mjs": partsOf("hub-alarm"),
    },
    "hub-history": { "/usr/lib/hub-history/hub-history.mjs": partsOf("hub-history") },
    "hub-display": { "/usr/share/hub-display": displayParts() },
  };
  const bundles = { "hub-config": ["node_modules/swagger-ui-dist/swagger-ui-bundle.js"] };
  const wasm = readdirSync(display).filter((name) => name.endsWith(".wasm"));
  const linked = {
    "hub-display": Object.fromEntries(wasm.map((name) => [`/usr/share/hub-display/${name}`, linkedPackages()])),
  };
  const { version } = entries[0];
  const seconds = Number(environment.SOURCE_DATE_EPOCH);
  const analysed = readAnalysed(root);
  const sboms = [];
  for (const [name, its] of Object.entries(parts)) {
    writeFileSync(inFolder(`debian/${name}.copyright`), copyrightText(root, its, bundles[name], linked[name]));
    const sbom = sbomText(root, { name, version, seconds }, its, bundles[name], linked[name]);
    sboms.push(sbom);
    writeFileSync(inFolder("doc", `${name}.cdx.json`), sbom);
    writeFileSync(inFolder("doc", `${name}.vex.cdx.json`), vexText(analysed, sbom));
  }
  checkFindings(analysed, sboms);
}

/** Packs a copy of the layout for one architecture; the first one also builds the packages for all. */
async function pack(laidOut, work, architecture, isFirst, environment) {
  const folder = join(work, architecture, "hub");
  cpSync(laidOut, folder, { recursive: true });
  mkdirSync(join(folder, "addon"));
  copyFileSync(buildAddon(architecture), join(folder, "addon/hub_can.node"));
  // With a target of debian/rules, dpkg-buildpackage neither cleans the new folder nor writes .buildinfo and .changes.
  const target = isFirst ? "binary" : "binary-arch";
  const child = spawn("dpkg-buildpackage", [`--rules-target=${target}`, "-d", `-a${architecture}`], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk));
  const [status] = await once(child, "close").catch(({ message }) => fail(`dpkg-buildpackage: ${message}`));
  if (status !== 0) fail(`dpkg-buildpackage for ${architecture} failed\n${Buffer.concat(output)}`);
  for (const name of readdirSync(join(work, architecture)).filter((name) => name.endsWith(".deb"))) {
    copyFileSync(join(work, architecture, name), join(options.out, name));
  }
}

async function main() {
  if (!existsSync(join(display, "index.html"))) {
    fail(`${display}/index.html is not there: build the display first, or name its folder with --display`);
  }
  if (!readdirSync(display).some((name) => name.endsWith(".wasm"))) {
    const problem = wasmProblem();
    if (problem !== undefined) fail(`the packages need the page Recordings of the display: ${problem}`);
    if (display !== join(root, "dist/display")) fail(`${display} is without the page Recordings: build it again`);
    // It was built before there was a compiler.
    const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts/display.mjs")], { encoding: "utf8" });
    if (status !== 0) fail(`the display cannot be built again: ${stderr}`);
  }
  process.umask(0o022);
  const environment = {
    ...{ PATH: `${process.env.PATH}:/usr/sbin:/sbin`, HOME: "/nonexistent", LC_ALL: "C.UTF-8", TZ: "UTC" },
    DEB_BUILD_OPTIONS: "noautodbgsym nocheck",
    SOURCE_DATE_EPOCH: String(sourceSeconds()),
  };
  if (options["lay-out"]) {
    await layOut(root, environment);
    mkdirSync(join(root, "addon"), { recursive: true });
    copyFileSync(buildAddon(options.architectures), join(root, "addon/hub_can.node"));
    return;
  }
  const work = mkdtempSync(join(tmpdir(), "hub-package-"));
  try {
    const laidOut = join(work, "hub");
    await layOut(laidOut, environment);
    mkdirSync(options.out, { recursive: true });
    for (const name of readdirSync(options.out)) if (name.endsWith(".deb")) rmSync(join(options.out, name));
    const packing = options.architectures
      .split(",")
      .map((name, index) => pack(laidOut, work, name, index === 0, environment));
    await Promise.all(packing);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  for (const name of readdirSync(options.out).sort()) console.log(join(options.out, name));
}

await endWithMessage(main);
