/** The copyright file of a package names all third-party code in it, with the licences. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build, type Metafile } from "esbuild";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface Copyright {
  packagesIn(output: Metafile["outputs"][string]): readonly string[];
  copyrightText(root: string, parts: Readonly<Record<string, readonly string[]>>, bundles?: readonly string[]): string;
}

const copyright = async (): Promise<Copyright> =>
  (await import("../../scripts/copyright.mjs" as string)) as unknown as Copyright;

const root = resolve(".");

/** Bundled without minifying: esbuild writes above each file where its code is from. */
async function bundle(entry: string): Promise<{ readonly text: string; readonly output: Metafile["outputs"][string] }> {
  const { metafile, outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    metafile: true,
    write: false,
    outdir: "nowhere",
    format: "esm",
    target: "node20",
    ...(entry.endsWith(".tsx") ? { tsconfig: "src/web/display/tsconfig.json" } : { platform: "node" }),
    logLevel: "error",
  });
  const [path, output] = Object.entries(metafile.outputs).find(([name]) => name.endsWith(".js"))!;
  return { text: outputFiles.find((file) => file.path === resolve(path))!.text, output };
}

test.each([
  ["src/daemons/hub-cand.ts", ["mqtt", "zod"]],
  ["src/daemons/hub-configd.ts", ["hono", "mqtt", "zod"]],
  ["src/daemons/hub-config-backup.ts", []],
  ["src/daemons/hub-config-fetch.ts", ["zod"]],
  ["src/web/display/main.tsx", ["preact", "u8-mqtt", "uplot"]],
])("%s: every package that its bundle has code of is named with version and licence", async (entry, known) => {
  const { packagesIn, copyrightText } = await copyright();
  const { text, output } = await bundle(entry);
  const carried = new Set<string>();
  for (const [, path] of text.matchAll(/^\s*\/\/ (?:\S+:)?(node_modules\/.+)$/gm)) {
    carried.add(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path!)![0]);
  }
  expect([...carried].map((folder) => folder.replace("node_modules/", ""))).toEqual(expect.arrayContaining(known));
  const said = copyrightText(root, { file: packagesIn(output) });
  for (const folder of carried) {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    expect(said).toContain(`\nComment: The licence of ${name} ${version}: ${license}.\n`);
  }
  // Each package has a licence: its whole text, or the path of Debian's copy.
  const parts = said.split("\n\n").filter((paragraph) => /^License: \S+-of-/.test(paragraph));
  expect(parts).toHaveLength(packagesIn(output).length);
  for (const part of parts) expect(part).toMatch(/permission|redistribution|\/usr\/share\/common-licenses\//i);
});

test.each([
  ["no licence's name", { name: "x", version: "1.0.0" }, ["LICENSE"]],
  ["no licence's text", { name: "x", version: "1.0.0", license: "MIT" }, ["README.md"]],
])("a package with %s is not packed", async (_, manifest, files) => {
  const { copyrightText } = await copyright();
  const root = temporaryFolder("copyright");
  mkdirSync(join(root, "node_modules/x"), { recursive: true });
  writeFileSync(join(root, "package.json"), "{}");
  writeFileSync(join(root, "node_modules/x/package.json"), JSON.stringify(manifest));
  for (const name of files) writeFileSync(join(root, "node_modules/x", name), "Permission is hereby granted");
  expect(() => copyrightText(root, { file: ["node_modules/x"] })).toThrow("does not say its licence");
});

test("hub itself is under the licence that package.json names, in full in LICENSE", async () => {
  const { copyrightText } = await copyright();
  const [head, all, own] = copyrightText(root, {}).split("\n\n");
  expect(head).toMatch(/^Format: https:\/\/www\.debian\.org\/doc\/packaging-manuals\/copyright-format\/1\.0\/\n/);
  expect(all).toBe("Files: *\nCopyright: 2026 the hub authors\nLicense: Apache-2.0");
  expect(own).toMatch(/^License: Apache-2\.0\n Licensed under the Apache License, Version 2\.0 /);
  const { license } = JSON.parse(readFileSync("package.json", "utf8"));
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  expect([license, packages[""].license]).toEqual(["Apache-2.0", "Apache-2.0"]);
  const text = readFileSync("LICENSE", "utf8");
  expect(text).toMatch(/^\s*Apache License\n\s+Version 2\.0, January 2004\n/);
  expect(text).toContain("END OF TERMS AND CONDITIONS");
});

test("every name of a licence has its paragraph, and every paragraph is one of fields", async () => {
  const { copyrightText } = await copyright();
  const parts = { "/usr/lib/x.mjs": ["node_modules/zod", "node_modules/hono"], "/usr/share/y": ["node_modules/zod"] };
  const paragraphs = copyrightText(root, parts).trimEnd().split("\n\n");
  for (const paragraph of paragraphs) expect(paragraph).toMatch(/^(?:[A-Z][\w-]+: \S.*(?:\n \S?.*)*(?:\n|$))+$/);
  const own = paragraphs
    .filter((each) => each.startsWith("License: "))
    .map((each) => /^License: (\S+)/.exec(each)![1]!);
  const named = paragraphs.flatMap((each) => /^Files: [\s\S]*^License: (.*)$/m.exec(each)?.[1]?.split(" and ") ?? []);
  expect(new Set(named)).toEqual(new Set(own));
  expect(paragraphs.flatMap((each) => /^Files: (.*)$/m.exec(each)?.[1] ?? [])).toEqual([
    "*",
    "usr/lib/x.mjs",
    "usr/share/y/*",
  ]);
});

test("what others have bundled is named by their own source map", async () => {
  const { copyrightText } = await copyright();
  const said = copyrightText(root, { swagger: ["node_modules/swagger-ui-dist"] }, [
    "node_modules/swagger-ui-dist/swagger-ui-bundle.js",
  ]);
  const { sources } = JSON.parse(readFileSync("node_modules/swagger-ui-dist/swagger-ui-bundle.js.map", "utf8"));
  for (const name of ["react", "immutable", "js-yaml"]) {
    expect(sources.some((source: string) => source.includes(`node_modules/${name}/`))).toBe(true);
    expect(said).toMatch(new RegExp(`by its makers' source map: [^\\n]*\\b${name}\\b`));
  }
});
