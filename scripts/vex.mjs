/**
 * Makes a CycloneDX VEX document beside each bill of materials from `vulnerabilities.json`, which is written by hand: the
 * known vulnerabilities of the npm packages that are bundled into hub.
 *
 * `looks`: when and how it was looked for vulnerabilities, with the result in words. `findings`, one for each advisory:
 * `id` and `url` of the advisory, `packages` (package URLs as in the bills of materials), `state` and `justification`
 * in the words of CycloneDX, and `detail`, the reason as a sentence.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import { Failure } from "./failure.mjs";

const { AnalysisState, AnalysisJustification } = Enums.Vulnerability;

/** @typedef {{date: string, how: string, result: string}} Look */
/**
 * @typedef {{
 *   id: string;
 *   url: string;
 *   packages: string[];
 *   state: string;
 *   justification?: string;
 *   detail: string;
 * }} Finding
 */
/** @typedef {{looks: Look[], findings: Finding[]}} Analysed */

/** @returns {Analysed} */
export const readAnalysed = (root) => JSON.parse(readFileSync(join(root, "scripts/vulnerabilities.json"), "utf8"));

/** Throws a Failure for a finding with an unknown word, without a reason, or about a package that is in none of `sboms`. */
export function checkFindings({ findings }, sboms) {
  const known = new Set(sboms.flatMap((text) => (JSON.parse(text).components ?? []).map(({ purl }) => purl)));
  for (const { id, packages, state, justification, detail } of findings) {
    const wrong = (what) => new Failure(`scripts/vulnerabilities.json, ${id}: ${what}`);
    if (!Object.values(AnalysisState).includes(state)) throw wrong(`CycloneDX has no state ${state}`);
    const isJustified = justification !== undefined;
    if (isJustified && !Object.values(AnalysisJustification).includes(justification))
      throw wrong(`CycloneDX has no justification ${justification}`);
    if (isJustified !== (state === AnalysisState.NotAffected))
      throw wrong(`a justification belongs to the state ${AnalysisState.NotAffected}, and to no other`);
    if (!detail) throw wrong("its detail is missing");
    if (packages.length === 0) throw wrong("it names no package");
    for (const each of packages) if (!known.has(each)) throw wrong(`no package of hub contains ${each}`);
  }
}

/** The VEX document about the components of a bill of materials; the same input gives the same text. */
export function vexText({ looks, findings }, sbom) {
  const { metadata, components = [] } = JSON.parse(sbom);
  const { name, version } = metadata.component;
  const byUrl = new Map(
    components.map((each) => {
      const { purl, group, version: its } = each;
      return [purl, new Models.Component(each.type, each.name, { group, version: its, purl, bomRef: purl })];
    }),
  );
  const own = findings
    .map((each) => ({ ...each, packages: each.packages.filter((purl) => byUrl.has(purl)) }))
    .filter(({ packages }) => packages.length > 0);
  const affected = new Set(own.flatMap(({ packages }) => packages));
  const bom = new Models.Bom({
    metadata: new Models.Metadata({
      component: new Models.Component(Enums.ComponentType.Application, name, { version, bomRef: name }),
      timestamp: new Date(metadata.timestamp),
      properties: new Models.PropertyRepository(
        looks.map(({ date, how, result }) => new Models.Property("hub:looked", `${date}, ${how}: ${result}`)),
      ),
    }),
    components: new Models.ComponentRepository([...affected].map((purl) => byUrl.get(purl))),
    vulnerabilities: new Models.Vulnerability.VulnerabilityRepository(
      own.map(
        ({ id, url, packages, state, justification, detail }) =>
          new Models.Vulnerability.Vulnerability({
            ...{ id, source: new Models.Vulnerability.Source({ url: new URL(url) }) },
            analysis: new Models.Vulnerability.Analysis({ state, justification, detail }),
            affects: new Models.Vulnerability.AffectRepository(
              packages.map((purl) => new Models.Vulnerability.Affect(byUrl.get(purl).bomRef)),
            ),
          }),
      ),
    ),
  });
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  const document = JSON.parse(serializer.serialize(bom, { sortLists: true }));
  // The serializer leaves an empty list out; that none is known has to be said.
  return `${JSON.stringify({ ...document, vulnerabilities: document.vulnerabilities ?? [] }, undefined, 2)}\n`;
}
