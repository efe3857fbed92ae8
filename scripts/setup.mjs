/**
 * Prepares a checkout for its other scripts: packages installed, addon and bundles built, each only when its inputs are
 * newer. It imports no installed package. It is a separate step before every script that imports some, because imports
 * are resolved before a script runs.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { missingRequirement } from "./requirements.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs a command in the checkout; its output is shown only when it fails, which ends the program. */
async function run(sentence, command, args) {
  console.error(`hub: ${sentence}`);
  try {
    await promisify(execFile)(command, args, { cwd: root, maxBuffer: 1 << 28 });
  } catch ({ code, stdout, stderr }) {
    console.error(stdout, stderr, typeof code === "string" ? code : "");
    console.error(`hub: ${command} ${args.join(" ")} failed`);
    process.exit(1);
  }
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

async function install() {
  // The content is compared: a checkout gives every file a new time, and an installation takes too long to repeat for
  // nothing.
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (!existsSync(installed) || readFileSync(installed, "utf8") !== lock) {
    checkRequirements();
    // One tool asks for a newer npm than Debian's, and still runs.
    const quiet = ["--no-progress", "--no-audit", "--no-fund"];
    await run("installing packages (once)", "npm", ["ci", "--ignore-scripts", ...quiet, "--no-engine-strict"]);
    writeFileSync(installed, lock);
  }
}

/**
 * The arguments of Node.js that build the addon: `native/common.gypi` stands in for the folder with the headers of Node.js,
 * which node-gyp would download.
 */
const nodeGyp = [
  ...["node_modules/node-gyp/bin/node-gyp.js", "configure", "build", "--jobs=max"],
  ...["--nodedir=native", "--force-process-config"],
];

/** Names of the public database, as a module that git does not track. */
const publicNames = "src/core/n2k/public-database.ts";

async function buildAddon() {
  if (!isOlder("build/Release/hub_can.node", "native", "binding.gyp")) return;
  checkRequirements();
  await run("building the addon", process.execPath, nodeGyp);
}

async function buildBundles() {
  // The last file of the build: if it is up to date, so are the others.
  const scripts = ["public-pgns", "display", "forms-as-data", "coast", "wasm"].map((name) => `scripts/${name}.mjs`);
  const inputs = ["src", "native", "docs", ...scripts, "tsup.config.ts", "package.json", "package-lock.json"];
  if (!isOlder("dist/display/index.html", ...inputs)) return;
  await run("building the daemons", process.execPath, ["node_modules/tsup/dist/cli-default.js"]);
  await run("building the table of public PGNs", process.execPath, ["scripts/public-pgns.mjs", "dist/public-pgns.txt"]);
  await run("building the console", process.execPath, ["scripts/console.mjs"]);
  await run("building the display", process.execPath, ["scripts/display.mjs"]);
}

async function setup() {
  await install();
  if (isOlder(publicNames, "scripts/public-names.mjs", "package-lock.json"))
    await run("writing the names of the public database", process.execPath, ["scripts/public-names.mjs", publicNames]);
  await Promise.all([buildAddon(), buildBundles()]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup();
