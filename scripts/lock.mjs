/**
 * Completes package-lock.json after `npm install`; `npm run lock` does both.
 *
 * Some packages have a binary per platform as optional dependencies. If a registry lacks one of them, npm leaves it out
 * of the lock, and `npm ci` then refuses the lock as incomplete. For each gap this script asks the registry for the
 * package's integrity and platform. A package that the registry does not have gets an entry for a system that never
 * matches, which `npm ci` skips, and is requested again at the next run.
 */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** No system of Node.js has this name. */
const NO_SYSTEM = "none";

const isPlaceholder = ({ os, integrity }) => integrity === undefined && os?.[0] === NO_SYSTEM;

/** The entry that `name`, required from `path`, resolves to; undefined where there is none. */
function entryOf(packages, path, name) {
  for (let base = path; ; base = base.slice(0, Math.max(0, base.lastIndexOf("/node_modules/")))) {
    const place = `${base === "" ? "" : `${base}/`}node_modules/${name}`;
    if (packages[place] !== undefined) return packages[place];
    if (base === "") return undefined;
  }
}

/** Optional dependencies without a complete entry in the lock, as `{ name, version }`. */
function gapsOf(packages) {
  const gaps = new Map();
  for (const [path, { optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const entry = entryOf(packages, path, name);
      if (entry === undefined || isPlaceholder(entry)) gaps.set(name, { name, version });
    }
  }
  return [...gaps.values()];
}

/**
 * Fills the gaps of a lock file. `lookUp(name, version)` resolves with the registry's manifest, undefined where it has
 * none. Returns the names of the packages that remain placeholders.
 */
export async function completeLock(lock, lookUp) {
  const missing = [];
  await Promise.all(
    gapsOf(lock.packages).map(async ({ name, version }) => {
      const manifest = await lookUp(name, version);
      if (manifest === undefined) missing.push(name);
      const { "dist.integrity": integrity, cpu, libc, license, os, engines } = manifest ?? { os: [NO_SYSTEM] };
      lock.packages[`node_modules/${name}`] = Object.fromEntries(
        // In npm's order.
        Object.entries({ version, integrity, cpu, dev: true, libc, license, optional: true, os, engines }).filter(
          ([, value]) => value !== undefined,
        ),
      );
    }),
  );
  const byName = ([one, _entry], [other, _other]) => (one < other ? -1 : one > other ? 1 : 0);
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(byName));
  return missing.sort();
}

/** The registry's manifest of a package, by npm, so that its settings count. */
async function manifestOf(name, version) {
  const fields = ["dist.integrity", "os", "cpu", "libc", "license", "engines"];
  try {
    const { stdout } = await promisify(execFile)("npm", ["view", `${name}@${version}`, ...fields, "--json"]);
    return stdout.trim() === "" ? undefined : JSON.parse(stdout);
  } catch (error) {
    if (/\bE404\b/.test(`${error.stdout}${error.stderr}`)) return undefined;
    throw error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = new URL("../package-lock.json", import.meta.url);
  const lock = JSON.parse(readFileSync(file, "utf8"));
  const missing = await completeLock(lock, manifestOf);
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  if (missing.length > 0) console.log(`not in this registry, left as placeholders:\n${missing.join("\n")}`);
}
