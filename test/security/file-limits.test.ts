/** The limits of files that docs/security.md states, by files that are longer by a byte and have no content. */
import { chmodSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { deployedSettingsFile } from "../../src/adapters/node/files/deployed-settings.ts";
import { nodeProjectStore } from "../../src/adapters/node/files/project-store.ts";
import { readCredentials } from "../../src/adapters/node/mqtt/credentials.ts";
import { readTlsFiles } from "../../src/adapters/node/tls-files.ts";
import { memoryLog } from "../support/memory/log.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("limits");

const stated = /Limits: (.*?) \|/.exec(readFileSync("docs/security.md", "utf8"))![1]!;

/** The limit in bytes that stands behind some words of the page. */
function limitOf(words: string): number {
  const [, number, unit] = new RegExp(`${words} (\\d+) ([KM])iB`).exec(stated)!;
  return Number(number) * (unit === "K" ? 1 << 10 : 1 << 20);
}

const store = nodeProjectStore({ folder, templates: join(folder, "templates") });

test.each<[words: string, path: string, read: (path: string) => Promise<unknown>]>([
  ["credentials", "credentials.json", (path) => readCredentials(path)],
  ["TLS files", "ca.pem", (ca) => readTlsFiles({ ca })],
  [
    "the deployed configuration in hub-cand",
    "deployed.json",
    async (path) => {
      const file = deployedSettingsFile(path, memoryLog());
      await file.refresh();
      throw new Error(file.fault);
    },
  ],
  ["a project or its backup", "configuration/large.json", () => store.read("large")],
  ["a project or its backup", "backup/deploy.json-2026-11-21_08-14-26", () => store.backup("2026-11-21_08-14-26")],
])("of %s: %s that is longer is refused by its length", async (words, name, read) => {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  chmodSync(path, 0o600);
  const limit = limitOf(words);
  truncateSync(path, limit + 1);
  await expect(read(path)).rejects.toThrow(/EFBIG|file too large/i);
  expect(limit).toBeGreaterThan(60_000);
});
