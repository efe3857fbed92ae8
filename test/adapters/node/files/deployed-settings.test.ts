import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { deployedSettingsFile } from "../../../../src/adapters/node/files/deployed-settings.ts";
import { memoryLog } from "../../../support/memory/log.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder("deployed");
  path = join(folder, "deploy.json");
});

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

test("the log names the first ten settings and counts the others, however many and long they are", async () => {
  const log = memoryLog();
  const settings = Array.from({ length: 1000 }, (_, n) => ({ name: `${n}`.padEnd(100_000 / (n + 1), "x") }));
  writeFileSync(path, JSON.stringify({ settings }));
  expect((await deployedSettingsFile(path, log).refresh())!.size).toBe(1000);
  const [line] = log.lines;
  const names = line!.fields!.settings as string[];
  expect(names).toHaveLength(11);
  expect(names[10]).toBe("990 more");
  expect(names.map(({ length }) => length)).toEqual([...Array(10).fill(64), "990 more".length]);
});

test("a file that is not there is said once and waited for", async () => {
  const log = memoryLog();
  const file = deployedSettingsFile(path, log);
  expect(await file.refresh()).toBeUndefined();
  expect(await file.refresh()).toBeUndefined();
  expect(log.lines).toMatchObject([{ level: "info" }]);
  expect(file.fault).toBeUndefined();
  writeFileSync(path, JSON.stringify({ settings: [navigation] }));
  expect((await file.refresh())!.has("navigation")).toBe(true);
});

test("a file that is gone leaves the settings in force, which is a fault until there is one again", async () => {
  const log = memoryLog();
  const file = deployedSettingsFile(path, log);
  writeFileSync(path, JSON.stringify({ settings: [navigation] }));
  await file.refresh();
  unlinkSync(path);
  for (let call = 0; call < 3; call++) expect(await file.refresh()).toBeUndefined();
  expect(file.fault).toMatch(/^ENOENT/);
  const gone = "the deployed configuration is gone, the settings in force stay until there is one";
  expect(log.lines.slice(1)).toMatchObject([
    { level: "warn", message: gone, fields: { code: "SETTINGS_UNUSABLE", file: path } },
  ]);
  writeFileSync(path, "{}");
  expect((await file.refresh())!.size).toBe(0);
  expect(file.fault).toBeUndefined();
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

test("brackets in texts are no nesting", async () => {
  const name = `\\" ${"[{".repeat(2000)}`;
  writeFileSync(path, JSON.stringify({ settings: [{ name }] }));
  expect([...(await deployedSettingsFile(path, memoryLog()).refresh())!.keys()]).toEqual([name]);
});

test("a document without settings has none", async () => {
  writeFileSync(path, "{}");
  expect((await deployedSettingsFile(path, memoryLog()).refresh())!.size).toBe(0);
});

test.each<[string, RegExp, () => void]>([
  ["a link to itself", /ELOOP/, () => symlinkSync("deploy.json", path)],
  ["a FIFO", /not a regular file/, () => void spawnSync("mkfifo", [path])],
  ["a link to a device", /not a regular file/, () => symlinkSync("/dev/zero", path)],
  ["a directory", /not a regular file/, () => mkdirSync(path)],
  [
    "a file nested deeper than any settings",
    /nested too deeply/,
    () => writeFileSync(path, `{ "settings": [{ "name": "\\"]", "x": ${"[".repeat(999)}${"]".repeat(999)} }] }`),
  ],
  [
    "a file beyond the limit",
    /EFBIG.* more than 67108864$/,
    () => {
      writeFileSync(path, "");
      truncateSync(path, 64 * 2 ** 20 + 1);
    },
  ],
])("%s is warned of once, and a good file in its place is read", async (_, reason, put) => {
  const log = memoryLog();
  const file = deployedSettingsFile(path, log);
  put();
  for (let call = 0; call < 3; call++) expect(await file.refresh()).toBeUndefined();
  expect(log.lines).toMatchObject([{ level: "warn", fields: { reason: expect.stringMatching(reason) } }]);
  rmSync(path, { recursive: true });
  expect(await file.refresh()).toBeUndefined();
  writeFileSync(path, JSON.stringify({ settings: [navigation] }));
  expect((await file.refresh())!.has("navigation")).toBe(true);
  unlinkSync(path);
  put();
  expect(await file.refresh()).toBeUndefined();
  expect(log.lines.filter(({ level }) => level === "warn")).toHaveLength(2);
});

test("a file in a path that is no directory is warned of once", async () => {
  const log = memoryLog();
  writeFileSync(path, "{}");
  const file = deployedSettingsFile(join(path, "deploy.json"), log);
  for (let call = 0; call < 3; call++) expect(await file.refresh()).toBeUndefined();
  expect(log.lines).toMatchObject([{ level: "warn", fields: { reason: expect.stringContaining("ENOTDIR") } }]);
});

test("a file whose permissions change is read again", async () => {
  const file = deployedSettingsFile(path, memoryLog());
  writeFileSync(path, "{}", { mode: 0o600 });
  expect((await file.refresh())!.size).toBe(0);
  expect(await file.refresh()).toBeUndefined();
  // Ticks of a file system's clock are milliseconds long.
  await new Promise((resolve) => setTimeout(resolve, 20));
  chmodSync(path, 0o644);
  expect((await file.refresh())!.size).toBe(0);
});
