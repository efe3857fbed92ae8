/** `debian/` as packages and source package have it. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { titled } from "../support/size.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const { changelogEntries, debianChangelog } = (await import("../../scripts/changelog.mjs" as string)) as {
  changelogEntries(text: string): readonly object[];
  debianChangelog(entries: readonly object[], maintainer: string, source: Date): string;
};
const { writeDebianFolder } = (await import("../../scripts/debian.mjs" as string)) as {
  writeDebianFolder(folder: string, source: Date, revision?: string): void;
};

const written = (revision?: string): ((path: string) => string) => {
  const folder = temporaryFolder("debian");
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

const withoutDpkg = spawnSync("dpkg", ["--version"]).error === undefined ? undefined : "dpkg is not installed";

test(titled(
  "builds before a release sort before it, by the time of their source, and after the last one",
  withoutDpkg,
), { skip: withoutDpkg !== undefined }, () => {
  const versionAt = (source: string, when: string): string => {
    const entries = changelogEntries(`## 1.3.0 (${when})\n\n- New\n\n## 1.2.0 (2026-11-27)\n\n- Old\n`);
    return /^hub \((.*)\)/.exec(debianChangelog(entries, "hub <hub@example.org>", new Date(source)))![1]!;
  };
  const ordered = [
    "1.2.0",
    versionAt("2026-12-01T09:00:00Z", "unreleased"),
    versionAt("2026-12-01T10:00:00Z", "unreleased"),
    versionAt("2026-12-02T00:00:00Z", "2026-12-02"),
  ];
  for (const [index, later] of ordered.slice(1).entries())
    expect(spawnSync("dpkg", ["--compare-versions", ordered[index]!, "lt", later]).status, later).toBe(0);
});

test.each([
  ["212992", "set"],
  ["4194304", ""],
  ["8388608", ""],
])("installing raises a receive buffer of %s bytes only if it is small: %j", (bytes, expected) => {
  const folder = temporaryFolder("postinst");
  writeFileSync(join(folder, "rmem_max"), `${bytes}\n`);
  const [lines] = /^\s*if \[ "\$\(cat \/proc\/sys\/net\/core\/rmem_max[\s\S]*?^\s*fi$/m.exec(
    readFileSync("packaging/debian/hub-cand.postinst", "utf8"),
  )!;
  const script = lines
    .replace("/proc/sys/net/core/rmem_max", join(folder, "rmem_max"))
    .replace(/\/usr\/lib\/systemd\/systemd-sysctl \S+/, "printf set");
  expect(spawnSync("sh", ["-ec", script], { encoding: "utf8" }).stdout).toBe(expected);
});
