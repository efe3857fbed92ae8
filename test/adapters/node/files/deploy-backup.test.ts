import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  copiesOf,
  keepBackups,
  keepDeployment,
  nameAt,
  timeOf,
} from "../../../../src/adapters/node/files/deploy-backup.ts";
import { nodeFiles } from "../../../../src/adapters/node/files/durable-files.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

test("a second that is taken is waited out, with the clock set back too", async () => {
  const root = temporaryFolder("backup");
  const source = join(root, "deploy.json");
  const folder = join(root, "backup");
  let wall = new Date(2026, 10, 21, 8, 14, 26, 250).getTime();
  const waits: number[] = [];
  const time = {
    wall: () => wall,
    wait: async (milliseconds: number) => {
      waits.push(milliseconds);
      wall += milliseconds;
    },
  };
  const created: string[] = [];
  for (const content of ["one", "two", "three"]) {
    writeFileSync(source, content);
    await keepBackups({ source, folder }, time, (path) => created.push(path));
    wall -= 1000;
  }
  expect(created.map((path) => path.slice(folder.length + 1))).toEqual([
    "deploy.json-2026-11-21_08-14-26",
    "deploy.json-2026-11-21_08-14-25",
    "deploy.json-2026-11-21_08-14-24",
  ]);
  wall += 2000;
  writeFileSync(source, "four");
  await keepBackups({ source, folder }, time, (path) => created.push(path));
  expect(waits).toEqual([750, 1000]);
  expect(created[3]).toMatch(/08-14-27$/);
  expect(created.map((path) => readFileSync(path, "utf8"))).toEqual(["one", "two", "three", "four"]);
});

test("a copy keeps its time when the boat's computer gets another time zone, or the hour is put back", () => {
  const at = (name: string, mtime: string): string =>
    timeOf({ name: `deploy.json-${name}`, mtime: BigInt(Date.parse(mtime)) * 1_000_000n }).toISOString();
  expect(at("2026-07-01_14-00-00", "2026-07-01T12:00:00.450Z")).toBe("2026-07-01T12:00:00.000Z");
  expect(at("2026-07-01_21-30-00-2", "2026-07-02T01:00:01.450Z")).toBe("2026-07-02T01:00:00.000Z");
  expect(at("2026-10-25_02-30-00", "2026-10-25T00:30:00Z")).toBe("2026-10-25T00:30:00.000Z");
  expect(at("2026-10-25_02-30-01", "2026-10-25T01:30:01Z")).toBe("2026-10-25T01:30:01.000Z");
  // A file that was copied later, or whose clock went back.
  const here = new Date(2026, 6, 1, 14).toISOString();
  for (const mtime of ["2026-07-01T15:07:00Z", "2027-07-01T12:00:00Z", "1970-01-01T00:00:00Z"])
    expect(at("2026-07-01_14-00-00", mtime), mtime).toBe(here);
});

test.each(["after one another", "at once"])(
  "daily copies and those of deployments have different names, made %s",
  async (when) => {
    const root = temporaryFolder("backup");
    const source = join(root, "deploy.json");
    const [daily, ofDeployments] = [join(root, "backup"), join(root, "deployments")];
    const begin = new Date(2026, 10, 21, 8, 14, 26).getTime();
    for (let count = 0; count < 12; count++) {
      writeFileSync(source, `{"count": ${count}}`);
      let wall = begin;
      const time = {
        wall: () => wall,
        wait: async (milliseconds: number) => {
          wall += milliseconds;
        },
      };
      const runs = [
        () => keepBackups({ source, folder: daily, beside: ofDeployments }, time),
        () => keepDeployment({ source, folder: ofDeployments, beside: daily }, () => begin),
      ];
      if (when === "at once") await Promise.all(runs.map((run) => run()));
      else for (const run of count % 2 === 0 ? runs : runs.toReversed()) await run();
    }
    const names = (await copiesOf([daily, ofDeployments])).map(({ name }) => name);
    expect(names.length).toBe(24);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  },
);

test("names are local time with leading zeros", () => {
  expect(nameAt(new Date(2026, 0, 2, 3, 4, 5).getTime())).toBe("deploy.json-2026-01-02_03-04-05");
});

test("a run that a crash cut short is made good by the next one", async () => {
  const root = temporaryFolder("backup");
  const source = join(root, "deploy.json");
  const folder = join(root, "backup");
  const time = { wall: Date.now, wait: async () => {} };
  const ignore = (): void => {};
  writeFileSync(source, "x");
  await keepBackups({ source, folder }, time, ignore);
  // Copied and pointed to, but not pruned.
  for (let at = 0; at < 35; at++) {
    const name = join(folder, `deploy.json-2020-01-01_00-00-${String(at).padStart(2, "0")}`);
    writeFileSync(name, "old");
    utimesSync(name, at, at);
  }
  await keepBackups({ source, folder }, time, ignore);
  expect(readdirSync(folder)).toHaveLength(31);
  expect(existsSync(join(folder, "deploy.json-2020-01-01_00-00-05"))).toBe(false);
});

test("when a clock that was ahead has been set back, copies are as new as they are: what was deployed before goes first", async () => {
  const root = temporaryFolder("backup");
  const source = join(root, "deploy.json");
  const folder = join(root, "backup");
  mkdirSync(folder);
  for (let at = 0; at < 30; at++) {
    const name = join(folder, `deploy.json-2056-01-01_00-00-${String(at).padStart(2, "0")}`);
    writeFileSync(name, `ahead ${at}`);
    utimesSync(name, Date.UTC(2056, 0, 1) / 1000 + at, Date.UTC(2056, 0, 1) / 1000 + at);
  }
  const deployed = ["right 1", "right 2", "right 3"];
  let wall = Date.now();
  for (const content of deployed) {
    writeFileSync(source, content);
    wall += 1000;
    await keepBackups({ source, folder }, { wall: () => wall, wait: async () => {} }, () => {});
  }
  const kept = readdirSync(folder)
    .filter((name) => name !== "last_backup")
    .map((name) => readFileSync(join(folder, name), "utf8"));
  const ahead = Array.from({ length: 27 }, (_, at) => `ahead ${at + 3}`);
  expect(kept.sort()).toEqual([...ahead, ...deployed].sort());
});

test("a copy and its name are synced before it is told", async () => {
  const folder = temporaryFolder("backup");
  const source = join(folder, "deploy.json");
  writeFileSync(source, "{}");
  const synced: string[] = [];
  const { sync } = nodeFiles;
  vi.spyOn(nodeFiles, "sync").mockImplementation(async (descriptor) => {
    await sync(descriptor);
    synced.push(basename(readlinkSync(`/proc/self/fd/${descriptor}`)));
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const backup = join(folder, "backup");
  let before: readonly string[] = [];
  await keepBackups({ source, folder: backup }, { wall: Date.now, wait: async () => {} }, () => {
    before = [...synced];
  });
  // Of the new folder, the copy, its name, and the link to it.
  expect(before.map((name) => (name.endsWith(".tmp") ? "copy" : name))).toEqual([
    ...[basename(folder), "copy", "backup", "backup"],
  ]);
});
