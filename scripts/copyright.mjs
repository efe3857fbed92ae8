/**
 * The copyright file of a Debian package: hub's own licence, and the licence of every npm package from which the
 * bundler took code into the package's files, and of every Debian package from which the linker did.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Licence texts of Debian's base system, to which a copyright file refers. */
const common = { "Apache-2.0": "/usr/share/common-licenses/Apache-2.0" };

const hubItself = `hub: Copyright 2026 the hub authors

Licensed under the Apache License, Version 2.0 (the "License"); you may not use these files except in compliance with the
License. Unless required by applicable law or agreed to in writing, software distributed under the License is distributed
on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the License for the
specific language governing permissions and limitations under the License.

On Debian systems the License is in ${common["Apache-2.0"]}.`;

/** The folders in node_modules whose code is in an output of esbuild, by its metafile. */
export const packagesIn = ({ inputs }) =>
  [
    ...new Set(
      Object.entries(inputs)
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
        .filter((folder) => folder !== undefined),
    ),
  ].sort();

/** Packages of the Hono project without a licence file, which have Hono's licence. */
const licensedAs = { "@hono/zod-openapi": "hono", "@hono/zod-validator": "hono" };
/** Packages without a licence file whose repository has one, copied from there. */
const licenceFiles = { pmtiles: "scripts/licences/pmtiles.txt", saxes: "scripts/licences/saxes.txt" };

/** One package: name, version, licence, notice, and the text of the licence or its path on Debian. */
function part(root, folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const text = (pattern, from = folder) =>
    readdirSync(join(root, from))
      .filter((file) => pattern.test(file))
      .sort()
      .map((file) => readFileSync(join(root, from, file), "utf8").trim())
      .join("\n\n");
  const from = Object.hasOwn(licensedAs, name) ? `node_modules/${licensedAs[name]}` : folder;
  const licence = Object.hasOwn(licenceFiles, name)
    ? readFileSync(join(root, licenceFiles[name]), "utf8").trim()
    : text(/^(licen[cs]e|copying)(\.(md|txt))?$/i, from);
  if (typeof license !== "string" || licence === "") throw new Error(`${folder} does not say its licence`);
  const notice = text(/^notice(\.(md|txt))?$/i);
  const place = common[license];
  const body = place === undefined ? licence : `The licence is in ${place}.`;
  return `${name} ${version}: ${license}\n\n${notice === "" ? "" : `${notice}\n\n`}${body}`;
}

/** The third parties in a file that its authors bundled, with its list of notices. */
function bundledElsewhere(root, file) {
  const map = JSON.parse(readFileSync(join(root, `${file}.map`), "utf8"));
  const names = map.sources.map((source) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1]);
  const inside = [...new Set(names.filter((name) => name !== undefined))].sort();
  const notices = readFileSync(join(root, `${file}.LICENSE.txt`), "utf8").trim();
  return `Inside it, by its makers' source map: ${inside.join(", ")}.\n\nTheir notices, as its makers give them:\n\n${notices}`;
}

/** The copyright file of a Debian package whose library is linked into `file`. */
const linkedFrom = (file, name) =>
  `${name} of Debian, whose library is linked into ${file}\n\n${readFileSync(`/usr/share/doc/${name}/copyright`, "utf8").trim()}`;

const rule = `\n\n${"-".repeat(78)}\n\n`;

/**
 * `parts`: for each installed file or folder the npm packages (folders in node_modules) whose code it contains.
 * `bundles`: files in node_modules that contain code of further packages, with a list of notices and a source map
 * beside them. `linked`: Debian packages by the installed file into which their libraries are linked.
 */
export function copyrightText(root, parts, bundles = [], linked = {}) {
  const folders = [...new Set(Object.values(parts).flat())].sort();
  const contents = Object.entries(parts).map(
    ([file, its]) => `${file}\n${its.map((folder) => `  ${folder.replace(/^.*node_modules\//, "")}`).join("\n")}`,
  );
  const others =
    folders.length === 0 ? [] : [`The following files also contain code of others:\n\n${contents.join("\n\n")}`];
  const sections = [
    ...[hubItself, ...others, ...folders.map((folder) => part(root, folder))],
    ...bundles.filter((file) => existsSync(join(root, file))).map((file) => bundledElsewhere(root, file)),
    ...Object.entries(linked).flatMap(([file, names]) => names.map((name) => linkedFrom(file, name))),
  ];
  return `${sections.join(rule)}\n`;
}
