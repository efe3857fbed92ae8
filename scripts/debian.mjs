/** The folder `debian/`, which packages and source package have in common: `packaging/debian`, and what is written here. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { changelogEntries, debianChangelog } from "./changelog.mjs";
import { Failure } from "./failure.mjs";
import { root } from "./setup.mjs";
import { project } from "./source.mjs";

const inRoot = (path) => readFileSync(join(root, path), "utf8");

/** The entries of CHANGELOG.md; the newest is the version that is built, and must match package.json. */
export function entriesToBuild() {
  const entries = changelogEntries(inRoot("CHANGELOG.md"));
  const { version } = project();
  if (entries[0]?.version !== version)
    throw new Failure(`CHANGELOG.md begins with ${entries[0]?.version}, package.json is ${version}`);
  return entries;
}

/**
 * Writes `debian/` into a folder. `source`: last change of the source. `revision`: of a source package, whose original
 * archives are beside it.
 */
export function writeDebianFolder(folder, source, revision = "") {
  const inFolder = (path) => join(folder, "debian", path);
  cpSync(join(root, "packaging/debian"), inFolder(""), { recursive: true, dereference: true });
  const control = inRoot("packaging/debian/control");
  const { homepage, repository } = project();
  const addresses = { Homepage: homepage, "Vcs-Browser": repository.replace(/\.git$/, ""), "Vcs-Git": repository };
  const fields = Object.entries(addresses).map(([name, url]) => `${name}: ${url}\n`);
  writeFileSync(inFolder("control"), control.replace(/^(?=Rules-Requires-Root)/m, fields.join("")));
  const maintainer = /^Maintainer: (.*)$/m.exec(control)?.[1];
  const changelog = debianChangelog(entriesToBuild(), maintainer, source);
  writeFileSync(inFolder("changelog"), changelog.replace(")", `${revision})`));
  if (revision !== "") writeFileSync(inFolder("source/format"), "3.0 (quilt)\n");
}
