/**
 * Prepares a checkout for its other scripts: packages installed, addon and bundles built, each only when its inputs are
 * newer. It imports no installed package. It is a separate step before every script that imports some, because imports
 * are resolved before a script runs.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { missingRequirement } from "./requirements.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs a command in the checkout; its output is shown only when it fails. */
function run(sentence, command, args) {
  console.error(`hub: ${sentence}`);
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status === 0) return;
  console.error(stdout, stderr, error ?? "");
  console.error(`hub: ${command} ${args.join(" ")} failed`);
  process.exit(1);
}

/** Holds the hash of the lock file that `node_modules` was installed from. */
const installed = join(root, "node_modules/.installed-from");

const modified = (path) => (existsSync(join(root, path)) ? statSync(join(root, path)).mtimeMs : 0);

function newest(path) {
  const full = join(root, path);
  if (!existsSync(full)) return 0;
  if (!statSync(full).isDirectory()) return statSync(full).mtimeMs;
  const names = readdirSync(full, { recursive: true, encoding: "utf8" }).filter((name) => !name.startsWith("test"));
  return Math.max(0, ...names.map((name) => statSync(join(full, name)).mtimeMs));
}

const isOlder = (target, ...sources) => modified(target) < Math.max(...sources.map(newest));

/** Ends with 1 and a sentence if the machine lacks a program. */
function checkRequirements() {
  const missing = missingRequirement();
  if (missing === undefined) return;
  console.error(`hub: ${missing}`);
  process.exit(1);
}

function install() {
  // The content is compared: a checkout gives every file a new time, and an installation takes too long to repeat for
  // nothing.
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (!existsSync(installed) || readFileSync(installed, "utf8") !== lock) {
    checkRequirements();
    // One tool asks for a newer npm than Debian's, and still runs.
    const quiet = ["--no-progress", "--no-audit", "--no-fund"];
    run("installing packages (once)", "npm", ["ci", "--ignore-scripts", ...quiet, "--no-engine-strict"]);
    writeFileSync(installed, lock);
  }
}

/** The arguments of Node.js that build the addon of a folder, with that folder as working directory. */
export function nodeGypArguments() {
  // Node's own headers beside the program spare node-gyp a download; Debian and most installations have them.
  const prefix = process.env.npm_config_nodedir ?? dirname(dirname(process.execPath));
  const own = existsSync(join(prefix, "include/node/node_api.h")) ? [`--nodedir=${prefix}`] : [];
  return [join(root, "node_modules/node-gyp/bin/node-gyp.js"), "rebuild", ...own];
}

/** Names of the public database, as a module that git does not track. */
const publicNames = "src/n2k/public-database.ts";

export function setup() {
  install();
  if (isOlder(publicNames, "scripts/public-names.mjs", "package-lock.json"))
    run("writing the names of the public database", process.execPath, ["scripts/public-names.mjs", publicNames]);
  if (isOlder("build/Release/hub_can.node", "native", "binding.gyp")) {
    checkRequirements();
    run("building the addon", process.execPath, nodeGypArguments());
  }
  // The last file of the build: if it is up to date, so are the others.
  const inputs = [
    "src",
    "native",
    "docs",
    "scripts/public-pgns.mjs",
    "tsup.config.ts",
    "package.json",
    "package-lock.json",
  ];
  if (isOlder("dist/display/index.html", ...inputs)) {
    run("building the daemons", process.execPath, ["node_modules/tsup/dist/cli-default.js"]);
    run("building the table of public PGNs", process.execPath, ["scripts/public-pgns.mjs", "dist/public-pgns.txt"]);
    run("building the console", process.execPath, ["scripts/console.mjs"]);
    run("building the display", process.execPath, ["scripts/display.mjs"]);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setup();
