/** What is known about vulnerabilities, as VEX, and the advisories of a registry that are not yet answered. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { expect, test } from "vitest";

interface Finding {
  readonly id: string;
  readonly url: string;
  readonly packages: readonly string[];
  readonly state: string;
  readonly justification?: string;
  readonly detail: string;
}
interface Analysed {
  readonly looks: readonly { readonly date: string; readonly how: string; readonly result: string }[];
  readonly findings: readonly Finding[];
}
const { readAnalysed, checkFindings, vexText } = (await import("../../scripts/vex.mjs" as string)) as {
  readAnalysed(root: string): Analysed;
  checkFindings(analysed: Analysed, sboms: readonly string[]): void;
  vexText(analysed: Analysed, sbom: string): string;
};
const { advisoriesIn } = (await import("../../scripts/advisories.mjs" as string)) as {
  advisoriesIn(text: string): readonly { readonly id: string; readonly name: string }[];
};
const { sbomText } = (await import("../../scripts/sbom.mjs" as string)) as {
  sbomText(root: string, about: object, parts: Readonly<Record<string, readonly string[]>>): string;
};

const root = resolve(".");
const about = { name: "hub-cand", version: "1.2.0", seconds: 1_795_590_313 };
const sbom = sbomText(root, about, { "hub-cand.mjs": ["node_modules/zod", "node_modules/@hono/zod-openapi"] });
const { version } = JSON.parse(readFileSync("node_modules/zod/package.json", "utf8")) as { version: string };
const looks = [{ date: "2026-11-26", how: "npm audit", result: "one advisory" }];
const finding: Finding = {
  ...{ id: "GHSA-0000-0000-0000", url: "https://example.org/GHSA-0000-0000-0000" },
  ...{ packages: [`pkg:npm/zod@${version}`], state: "not_affected", justification: "code_not_reachable" },
  detail: "An example of a test.",
};
const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);

test("a finding is valid VEX about the component of the bill of materials", async () => {
  const text = vexText({ looks, findings: [finding] }, sbom);
  expect(await validator.validate(text)).toBeNull();
  const { metadata, components, vulnerabilities } = JSON.parse(text);
  expect(vulnerabilities).toMatchObject([
    {
      ...{ id: finding.id, affects: [{ ref: finding.packages[0] }] },
      analysis: { state: "not_affected", justification: "code_not_reachable", detail: finding.detail },
    },
  ]);
  expect(components).toMatchObject([{ name: "zod", version, "bom-ref": finding.packages[0] }]);
  expect(metadata.properties).toEqual([{ name: "hub:looked", value: "2026-11-26, npm audit: one advisory" }]);
});

test("without a finding it says when it was looked, and lists none", async () => {
  const text = vexText({ looks, findings: [{ ...finding, packages: ["pkg:npm/other@1.0.0"] }] }, sbom);
  expect(await validator.validate(text)).toBeNull();
  expect(JSON.parse(text).vulnerabilities).toEqual([]);
});

test.each<[Partial<Finding>, RegExp]>([
  [{ packages: ["pkg:npm/zod@0.0.1"] }, /no package of hub contains pkg:npm\/zod@0\.0\.1/],
  [{ packages: [] }, /names no package/],
  [{ state: "fine" }, /no state fine/],
  [{ justification: "because" }, /no justification because/],
  [{ state: "exploitable" }, /belongs to the state not_affected/],
  [{ detail: "" }, /detail is missing/],
])("the build refuses %j", (change, reason) => {
  expect(() => checkFindings({ looks, findings: [finding] }, [sbom])).not.toThrow();
  expect(() => checkFindings({ looks, findings: [{ ...finding, ...change }] }, [sbom])).toThrow(reason);
});

test("the findings of the project say when and how it was looked", () => {
  const analysed = readAnalysed(root);
  expect(analysed.looks.length).toBeGreaterThan(0);
  for (const { date, how, result } of analysed.looks) {
    expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
    expect(how && result).not.toBe("");
  }
});

test("advisories are read from the answer of npm; no answer is an error", () => {
  const advisory = { url: "https://example.org/GHSA-1", name: "one", title: "It fails", severity: "low", range: "<2" };
  const vulnerabilities = { one: { via: [advisory] }, two: { via: ["one", advisory] } };
  const text = JSON.stringify({ auditReportVersion: 2, vulnerabilities });
  expect(advisoriesIn(text)).toMatchObject([{ id: "GHSA-1", name: "one" }]);
  expect(() => advisoriesIn('{"message":"405 Method Not Allowed","error":{"summary":""}}')).toThrow(/405/);
});
