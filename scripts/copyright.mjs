/**
 * The copyright file of a Debian package: what is said of hub itself, and the whole licence of everything that is inside
 * the package's files, from the packages in node_modules that the bundler says it took code from.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Debian has the text on every machine, and wants it referred to. */
const common = { "Apache-2.0": "/usr/share/common-licenses/Apache-2.0" };

const hubItself = ({ license }, year) =>
  license === "UNLICENSED"
    ? `hub: Copyright (c) ${year} the owners of hub, who have not chosen a licence yet. Until they do, all rights are reserved:
nobody may copy, change or pass on this package but with their permission.`
    : `hub: Copyright (c) ${year} the owners of hub, ${license}`;

/** The folders in node_modules from which an output of esbuild has code, by its metafile. */
export const packagesIn = ({ inputs }) =>
  [
    ...new Set(
      Object.entries(inputs)
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
        .filter((folder) => folder !== undefined),
    ),
  ].sort();

/** One package: name, version, licence, its notice, and the licence's text or where Debian keeps it. */
function part(root, folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const names = readdirSync(join(root, folder));
  const text = (pattern) =>
    names
      .filter((file) => pattern.test(file))
      .sort()
      .map((file) => readFileSync(join(root, folder, file), "utf8").trim())
      .join("\n\n");
  const licence = text(/^(licen[cs]e|copying)(\.(md|txt))?$/i);
  if (typeof license !== "string" || licence === "") throw new Error(`${folder} does not say its licence`);
  const notice = text(/^notice(\.(md|txt))?$/i);
  const place = common[license];
  const body = place === undefined ? licence : `The licence is in ${place}.`;
  return `${name} ${version}: ${license}\n\n${notice === "" ? "" : `${notice}\n\n`}${body}`;
}

/** Third parties inside a file that was bundled elsewhere, in the words of those who did. */
function bundledElsewhere(root, file) {
  const map = JSON.parse(readFileSync(join(root, `${file}.map`), "utf8"));
  const names = map.sources.map((source) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1]);
  const inside = [...new Set(names.filter((name) => name !== undefined))].sort();
  const notices = readFileSync(join(root, `${file}.LICENSE.txt`), "utf8").trim();
  return `Inside it, by its makers' source map: ${inside.join(", ")}.\n\nTheir notices, as its makers give them:\n\n${notices}`;
}

const rule = `\n\n${"-".repeat(78)}\n\n`;

/**
 * `year`: of hub's own source. `parts`: for each installed file (or folder) with code of others, the folders in node_modules it has it from. `bundles`:
 * files in node_modules that bring others' code inside, with a list of notices and a source map beside them.
 */
export function copyrightText({ root, year }, parts, bundles = []) {
  const own = hubItself(JSON.parse(readFileSync(join(root, "package.json"), "utf8")), year);
  const folders = [...new Set(Object.values(parts).flat())].sort();
  const contents = Object.entries(parts).map(
    ([file, its]) => `${file}\n${its.map((folder) => `  ${folder.replace(/^.*node_modules\//, "")}`).join("\n")}`,
  );
  const others =
    folders.length === 0
      ? []
      : [`The following files contain, beside hub's own, code of others:\n\n${contents.join("\n\n")}`];
  const sections = [
    ...[own, ...others, ...folders.map((folder) => part(root, folder))],
    ...bundles.filter((file) => existsSync(join(root, file))).map((file) => bundledElsewhere(root, file)),
  ];
  return `${sections.join(rule)}\n`;
}
