/**
 * The bill of materials of a Debian package, as CycloneDX: every npm package of which it contains code, with version,
 * licence and the checksum of the archive on the registry; below these what their makers bundled; the libraries of
 * Debian that are linked in. What the package depends on is in its control file.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Contrib, Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import { bundledIn } from "./copyright.mjs";
import { project } from "./source.mjs";

const specification = Spec.Spec1dot6;
const licences = new Contrib.License.Factories.LicenseFactory((text) => / (?:OR|AND|WITH) /.test(text));

/** `pkg:npm/%40scope/name@1.0.0`, by the specification of package URLs; without a version where none is known. */
const packageUrl = (type, name, version) =>
  [`pkg:${type}/${name.split("/").map(encodeURIComponent).join("/")}`, version && encodeURIComponent(version)]
    .filter(Boolean)
    .join("@");

/** A library that is contained in files, by its name with a scope and its package URL. */
function library(name, purl, files, more = {}) {
  const scope = /^(@[^/]+)\/(.+)$/.exec(name);
  return new Models.Component(Enums.ComponentType.Library, scope?.[2] ?? name, {
    ...(scope !== null && { group: scope[1] }),
    ...{ purl, bomRef: purl },
    properties: new Models.PropertyRepository(files.map((file) => new Models.Property("hub:contained-in", file))),
    ...more,
  });
}

/** The checksum that the lock file has of a package, in hexadecimal. */
function checksumOf(lock, folder) {
  const [algorithm, base64] = /^(sha512)-(.+)$/.exec(lock.packages[folder]?.integrity ?? "")?.slice(1) ?? [];
  if (algorithm === undefined) throw new Error(`package-lock.json has no checksum of ${folder}`);
  return Buffer.from(base64, "base64").toString("hex");
}

function componentOf(root, lock, folder, files) {
  const { name, version, license, description } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  return library(name, packageUrl("npm", name, version), files, {
    ...{ version, description },
    licenses: new Models.LicenseRepository([licences.makeFromString(license)]),
    hashes: new Models.HashDictionary([[Enums.HashAlgorithm["SHA-512"], checksumOf(lock, folder)]]),
  });
}

/** A package inside a file that others have bundled, of which its makers tell the name alone. */
const bundledComponent = (name, file) => {
  const purl = packageUrl("npm", name);
  return library(name, purl, [file], { bomRef: `${purl}#${file}` });
};

/** A library of Debian that is linked into files. */
function linkedComponent(name, files) {
  const [, version = ""] = spawnSync("dpkg-query", ["-W", name], { encoding: "utf8" }).stdout.trim().split("\t");
  return library(name, packageUrl("deb", `debian/${name}`, version), files, { version });
}

/**
 * `parts`: for each installed file or folder the npm packages (folders in node_modules) whose code it contains. The
 * same input gives the same text. `bundles` and `linked` as in `copyrightText`.
 */
export function sbomText(root, { name, version, seconds }, parts, bundles = [], linked = {}) {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const { homepage, repository } = project();
  const product = new Models.Component(Enums.ComponentType.Application, name, {
    ...{ version, bomRef: name, licenses: new Models.LicenseRepository([licences.makeFromString("Apache-2.0")]) },
    externalReferences: new Models.ExternalReferenceRepository([
      new Models.ExternalReference(homepage, Enums.ExternalReferenceType.Website),
      new Models.ExternalReference(repository, Enums.ExternalReferenceType.VCS),
    ]),
  });
  const folders = [...new Set(Object.values(parts).flat())].sort();
  const components = folders.map((folder) => {
    const files = Object.keys(parts).filter((file) => parts[file].includes(folder));
    const component = componentOf(root, lock, folder, files);
    for (const file of bundles.filter((each) => dirname(each) === folder))
      for (const inside of bundledIn(root, file))
        component.components.add(bundledComponent(inside, file.replace(/^.*\//, "")));
    return component;
  });
  for (const each of [...new Set(Object.values(linked).flat())].sort()) {
    const files = Object.keys(linked).filter((file) => linked[file].includes(each));
    components.push(linkedComponent(each, files));
  }
  for (const { bomRef } of components) product.dependencies.add(bomRef);
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: product, timestamp: new Date(seconds * 1000) }),
    components: new Models.ComponentRepository(components),
  });
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(specification));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}
