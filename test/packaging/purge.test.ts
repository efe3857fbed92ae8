/** What the packages leave in their folders when they are purged. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** `/var/lib` with these files of a package below `private`, as systemd makes it, after the package is purged. */
function purged(name: string, files: readonly string[]): (path: string) => boolean {
  const lib = temporaryFolder("purge");
  mkdirSync(join(lib, "private", name), { recursive: true });
  symlinkSync(`private/${name}`, join(lib, name));
  for (const file of files) {
    mkdirSync(join(lib, name, dirname(file)), { recursive: true });
    writeFileSync(join(lib, name, file), "");
  }
  const script = readFileSync(`packaging/debian/${name}.postrm`, "utf8").replaceAll("/var/lib", lib);
  const { status, stderr } = spawnSync("sh", ["-c", script, "postrm", "purge"], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  return (path) => existsSync(join(lib, path));
}

test.each([
  ["hub-history", "0000000000000001.lp", "voyages/2026-05-01T100000Z.jsonl"],
  ["hub-link", "tokens.json", "resources/notes/0.json"],
])("%s gives up what is its own, and keeps what the crew made", (name, own, ofCrew) => {
  const isThere = purged(name, [own, ofCrew]);
  expect([own, ofCrew].map((file) => isThere(`${name}/${file}`))).toEqual([false, true]);
});

test.each(["hub-history", "hub-link"])("%s leaves no folder without a file", (name) => {
  const isThere = purged(name, ["queue"]);
  expect([name, `private/${name}`].map(isThere)).toEqual([false, false]);
});
