/** `debian/` as packages and source package have it. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const { writeDebianFolder } = (await import("../../scripts/debian.mjs" as string)) as {
  writeDebianFolder(folder: string, source: Date, revision?: string): void;
};

const written = (revision?: string): ((path: string) => string) => {
  const folder = mkdtempSync(join(tmpdir(), "hub-debian-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeDebianFolder(folder, new Date("2026-11-27T01:02:03Z"), revision);
  return (path) => readFileSync(join(folder, "debian", path), "utf8");
};

test("the source says where the project is, as package.json has it", () => {
  const { homepage, repository } = JSON.parse(readFileSync("package.json", "utf8"));
  const [source, ...binaries] = written()("control").split("\n\n");
  expect(source).toMatch(new RegExp(`^Homepage: ${homepage}$`, "m"));
  expect(source).toMatch(new RegExp(`^Vcs-Git: ${repository.url}$`, "m"));
  expect(source).toMatch(/^Vcs-Browser: https:/m);
  expect(binaries.join()).not.toContain("Homepage");
});

test("a source package has a revision in its newest entry, and original archives", () => {
  const versions = (file: (path: string) => string): string[] =>
    [...file("changelog").matchAll(/^hub \((.*)\)/gm)].map(([, version]) => version!);
  const [plain, revised] = [written(), written("-1")];
  expect(versions(revised)).toEqual(versions(plain).with(0, `${versions(plain)[0]}-1`));
  expect([plain("source/format"), revised("source/format")]).toEqual(["3.0 (native)\n", "3.0 (quilt)\n"]);
});
