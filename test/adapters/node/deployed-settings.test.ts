import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { memoryLog } from "../../../src/adapters/memory/log.ts";
import { deployedSettingsFile } from "../../../src/adapters/node/deployed-settings.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hub-deployed-"));
  path = join(folder, "deploy.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

const navigation = { name: "navigation", windDamping: 2 };

test("deployedSettingsFile gives the entries by name, and again only when the file has changed", async () => {
  const file = deployedSettingsFile(path, memoryLog());
  writeFileSync(
    path,
    JSON.stringify({ settings: [navigation, { name: "can" }, { name: "can", second: true }, 7, null] }),
  );
  expect([...(await file.refresh())!]).toEqual([
    ["navigation", navigation],
    ["can", { name: "can" }],
  ]);
  expect(await file.refresh()).toBeUndefined();
  writeFileSync(`${path}.tmp`, JSON.stringify({ settings: [] }));
  renameSync(`${path}.tmp`, path);
  expect((await file.refresh())!.size).toBe(0);
});

test("a file that is not there is said once and waited for", async () => {
  const log = memoryLog();
  const file = deployedSettingsFile(path, log);
  expect(await file.refresh()).toBeUndefined();
  expect(await file.refresh()).toBeUndefined();
  expect(log.lines).toMatchObject([{ level: "info" }]);
  writeFileSync(path, JSON.stringify({ settings: [navigation] }));
  expect((await file.refresh())!.has("navigation")).toBe(true);
});

test.each([
  ["not JSON", "{"],
  ["an array", "[]"],
  ["settings of another type", '{"settings": {}}'],
])("%s is warned of once and changes nothing", async (_, text) => {
  const log = memoryLog();
  const file = deployedSettingsFile(path, log);
  writeFileSync(path, text);
  expect(await file.refresh()).toBeUndefined();
  expect(await file.refresh()).toBeUndefined();
  expect(log.lines).toMatchObject([{ level: "warn" }]);
});

test("a document without settings has none", async () => {
  writeFileSync(path, "{}");
  expect((await deployedSettingsFile(path, memoryLog()).refresh())!.size).toBe(0);
});
