/**
 * The copyright file of a Debian package: hub's own licence, and the licence of every npm package from which the
 * bundler took code into the package's files, and of every Debian package from which the linker did.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { project } from "./source.mjs";

/** Licence texts of Debian's base system, to which a copyright file refers. */
const common = { "Apache-2.0": "/usr/share/common-licenses/Apache-2.0" };

const FORMAT = "https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/";
const OWNER = "2026 the hub authors";

const ownLicence = `Licensed under the Apache License, Version 2.0 (the "License"); you may not use these files except in compliance with the
License. Unless required by applicable law or agreed to in writing, software distributed under the License is distributed
on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the License for the
specific language governing permissions and limitations under the License.

On Debian systems the License is in ${common["Apache-2.0"]}.`;

/** A field: further lines begin with a blank, and an empty one is a full stop. */
const field = (name, first, text = "") => {
  const lines = text === "" ? [] : text.trim().split("\n");
  return [`${name}: ${first}`, ...lines.map((line) => ` ${line.trimEnd() || "."}`)].join("\n");
};

/** The lines of a licence that name the holders of its copyright. */
function holdersIn(text) {
  const lines = text.match(/^.*(?:copyright|\u00a9|\(c\)) .*\d{4}.*$/gim) ?? [];
  return [...new Set(lines.map((line) => line.replace(/^[\s*#>/-]+/, "").trim()))];
}

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

/**
 * The licence of one package: its name in this file, the holders of its copyright, and the paragraph with its text, or
 * with the path of that on Debian.
 */
function licenceOf(root, folder) {
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
  const short = `${license}-of-${name.replace(/^@/, "")}`.replaceAll(/[^\w.+-]+/g, "-");
  const holders = holdersIn(`${licence}\n${notice}`);
  return {
    short,
    title: `${name} ${version}`,
    holders: holders.length === 0 ? [`the authors of ${name}`] : holders,
    paragraph: [
      field("License", short, notice === "" ? body : `${notice}\n\n${body}`),
      field("Comment", `The licence of ${name} ${version}: ${license}.`),
    ].join("\n"),
  };
}

/** The names of the npm packages in a file that its authors bundled, by its source map. */
export function bundledIn(root, file) {
  const map = JSON.parse(readFileSync(join(root, `${file}.map`), "utf8"));
  const names = map.sources.map((source) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

/** The third parties in a file that its authors bundled, with its list of notices. */
function bundledElsewhere(root, file) {
  const short = `notices-of-${file.replace(/^.*\//, "")}`;
  const notices = readFileSync(join(root, `${file}.LICENSE.txt`), "utf8").trim();
  return {
    short,
    title: `what ${file.replace(/^.*node_modules\//, "")} contains by its makers' source map: ${bundledIn(root, file).join(", ")}`,
    holders: holdersIn(notices),
    paragraph: [
      field("License", short, notices),
      field("Comment", "The notices, as the makers of that file give them."),
    ].join("\n"),
  };
}

/** The copyright file of a Debian package whose library is linked into `file`. */
function linkedFrom(file, name) {
  const short = `licences-of-${name}`;
  const text = readFileSync(`/usr/share/doc/${name}/copyright`, "utf8").trim();
  return {
    short,
    title: `${name} of Debian, whose library is linked into it`,
    holders: [`as the licences of ${name} say`],
    paragraph: [
      field("License", short, text),
      field("Comment", `${name} of Debian, whose library is linked into ${file}`),
    ].join("\n"),
  };
}

/** The pattern of an installed file, or of all files of a folder. */
const patternOf = (path) => `${path.replace(/^\//, "")}${/\.\w+$/.test(path) ? "" : "/*"}`;

/**
 * The text, in Debian's machine-readable format. `parts`: for each installed file or folder the npm packages (folders in
 * node_modules) whose code it contains. `bundles`: files in node_modules that contain code of further packages, with a
 * list of notices and a source map beside them. `linked`: Debian packages by the installed file into which their
 * libraries are linked.
 */
export function copyrightText(root, parts, bundles = [], linked = {}) {
  const bundled = bundles.filter((file) => existsSync(join(root, file)));
  const within = new Map(
    Object.entries(parts).map(([file, folders]) => [
      file,
      [
        ...folders.toSorted().map((folder) => licenceOf(root, folder)),
        ...bundled.filter((each) => folders.includes(dirname(each))).map((each) => bundledElsewhere(root, each)),
      ],
    ]),
  );
  for (const [file, names] of Object.entries(linked))
    within.set(file, [...(within.get(file) ?? []), ...names.map((name) => linkedFrom(file, name))]);
  const files = [...within].map(([file, its]) =>
    [
      field("Files", patternOf(file)),
      field("Copyright", OWNER, [...new Set(its.flatMap(({ holders }) => holders))].join("\n")),
      field("License", ["Apache-2.0", ...its.map(({ short }) => short)].join(" and ")),
      ...(its.length === 0 ? [] : [field("Comment", "It contains code of", its.map(({ title }) => title).join("\n"))]),
    ].join("\n"),
  );
  const paragraphs = new Map([...within.values()].flat().map(({ short, paragraph }) => [short, paragraph]));
  const { homepage } = project();
  return `${[
    [field("Format", FORMAT), field("Upstream-Name", "hub"), field("Source", homepage)].join("\n"),
    [field("Files", "*"), field("Copyright", OWNER), field("License", "Apache-2.0")].join("\n"),
    ...files,
    field("License", "Apache-2.0", ownLicence),
    ...[...paragraphs].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, paragraph]) => paragraph),
  ].join("\n\n")}\n`;
}
