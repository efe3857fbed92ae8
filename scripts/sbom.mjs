/**
 * The bill of materials of a Debian package, as CycloneDX: every npm package of which it contains code, with version,
 * licence and the checksum of the archive on the registry. What the package depends on is in its control file.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Contrib, Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import { project } from "./source.mjs";

const specification = Spec.Spec1dot6;
const licences = new Contrib.License.Factories.LicenseFactory((text) => / (?:OR|AND|WITH) /.test(text));

/** `pkg:npm/%40scope/name@1.0.0`, by the specification of package URLs. */
const packageUrl = (name, version) => `pkg:npm/${name.split("/").map(encodeURIComponent).join("/")}@${version}`;

/** The checksum that the lock file has of a package, in hexadecimal. */
function checksumOf(lock, folder) {
  const [algorithm, base64] = /^(sha512)-(.+)$/.exec(lock.packages[folder]?.integrity ?? "")?.slice(1) ?? [];
  if (algorithm === undefined) throw new Error(`package-lock.json has no checksum of ${folder}`);
  return Buffer.from(base64, "base64").toString("hex");
}

function componentOf(root, lock, folder, files) {
  const { name, version, license, description } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const scope = /^(@[^/]+)\/(.+)$/.exec(name);
  const purl = packageUrl(name, version);
  return new Models.Component(Enums.ComponentType.Library, scope?.[2] ?? name, {
    ...(scope !== null && { group: scope[1] }),
    ...{ version, description, purl, bomRef: purl },
    licenses: new Models.LicenseRepository([licences.makeFromString(license)]),
    hashes: new Models.HashDictionary([[Enums.HashAlgorithm["SHA-512"], checksumOf(lock, folder)]]),
    properties: new Models.PropertyRepository(files.map((file) => new Models.Property("hub:contained-in", file))),
  });
}

/**
 * `parts`: for each installed file or folder the npm packages (folders in node_modules) whose code it contains. The
 * same input gives the same text.
 */
export function sbomText(root, { name, version, seconds }, parts) {
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
    return componentOf(root, lock, folder, files);
  });
  for (const { bomRef } of components) product.dependencies.add(bomRef);
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: product, timestamp: new Date(seconds * 1000) }),
    components: new Models.ComponentRepository(components),
  });
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(specification));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}
