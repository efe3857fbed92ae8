/**
 * Completes package-lock.json after `npm install`.
 *
 * Some packages offer a binary per platform as optional dependencies. Where a registry lacks one of them, npm leaves it
 * out of the lock, and `npm ci` then refuses the lock as incomplete. For each such gap this adds an entry for a system
 * that never matches, which `npm ci` accepts and skips.
 */
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(file, "utf8"));

for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const isThere =
      path.split("/node_modules/").some((_, index, parts) => {
        const base = parts.slice(0, index + 1).join("/node_modules/");
        return lock.packages[`${base === "" ? "" : `${base}/`}node_modules/${name}`] !== undefined;
      }) || lock.packages[`node_modules/${name}`] !== undefined;
    if (isThere) continue;
    lock.packages[`node_modules/${name}`] = { version, dev: true, optional: true, os: ["none"] };
    console.log(`stub for ${name} ${version}`);
  }
}

const byName = ([a], [b]) => (a < b ? -1 : a > b ? 1 : 0);
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(byName));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
