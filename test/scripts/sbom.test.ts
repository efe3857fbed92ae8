/** The bill of materials of a Debian package. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { expect, test } from "vitest";

interface Component {
  readonly name: string;
  readonly group?: string;
  readonly version: string;
  readonly hashes: readonly { readonly content: string }[];
  readonly properties: readonly { readonly value: string }[];
}

const { sbomText } = (await import("../../scripts/sbom.mjs" as string)) as {
  sbomText(root: string, about: object, parts: Readonly<Record<string, readonly string[]>>): string;
};
const root = resolve(".");
const about = { name: "hub-cand", version: "1.2.0", seconds: 1_795_590_313 };
const parts = {
  "/usr/lib/hub-cand/hub-cand.mjs": ["node_modules/zod", "node_modules/@hono/zod-openapi"],
  "/usr/lib/hub-cand/hub_can.node": ["node_modules/node-addon-api", "node_modules/zod"],
};

test("it is valid CycloneDX, and lists each package once, with its files and its checksum", async () => {
  const text = sbomText(root, about, parts);
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
  const { components, dependencies } = JSON.parse(text) as {
    components: readonly Component[];
    dependencies: readonly { readonly dependsOn?: readonly string[] }[];
  };
  expect(components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`)).sort()).toEqual([
    "@hono/zod-openapi",
    "node-addon-api",
    "zod",
  ]);
  const zod = components.find(({ name }) => name === "zod")!;
  expect(zod.version).toBe(JSON.parse(readFileSync("node_modules/zod/package.json", "utf8")).version);
  expect(zod.properties.map(({ value }) => value).sort()).toEqual(Object.keys(parts).sort());
  const { integrity } = JSON.parse(readFileSync("package-lock.json", "utf8")).packages["node_modules/zod"];
  expect(`sha512-${Buffer.from(zod.hashes[0]!.content, "hex").toString("base64")}`).toBe(integrity);
  expect(dependencies[0]!.dependsOn).toHaveLength(3);
});

test("it is the same for the same source", () => {
  expect(sbomText(root, about, parts)).toBe(sbomText(root, about, parts));
});

test("a package without a checksum in the lock file is an error", () => {
  expect(() => sbomText(root, about, { file: ["node_modules/.bin"] })).toThrow();
});
