/** The copies of what was deployed, listed and read through the API, from memory and from files. */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keepBackups, nameAt } from "../../../src/adapters/node/files/deploy-backup.ts";
import { nodeProjectStore } from "../../../src/adapters/node/files/project-store.ts";
import { SystemError } from "../../../src/core/ports/system-error.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { newApp } from "./harness.ts";

const older = "2026-11-20_08-14-26";
const newer = "2026-11-21_08-14-26";

const inMemory = () => {
  const app = newApp();
  app.memory.backups.set(older, new TextEncoder().encode('{"uid":"a"}'));
  app.memory.backups.set(newer, new TextEncoder().encode("{}"));
  return app;
};

const onDisk = () => {
  const folder = temporaryFolder("backups");
  const backup = join(folder, "backup");
  mkdirSync(backup);
  writeFileSync(join(backup, `deploy.json-${older}`), '{"uid":"a"}');
  writeFileSync(join(backup, `deploy.json-${newer}`), "{}");
  // Other files of hub-config-backup, and files of other programs.
  symlinkSync(`deploy.json-${newer}`, join(backup, "last_backup"));
  writeFileSync(join(backup, "deploy.json-2026"), "");
  return newApp({ projects: nodeProjectStore({ folder, templates: join(folder, "templates") }) });
};

test.each([
  ["memory", inMemory],
  ["files", onDisk],
])("%s: copies are listed, the newest first, and read byte for byte", async (_, open) => {
  const app = open();
  expect(await app.json("GET", "/deploy/backup")).toEqual([
    200,
    [
      { name: newer, bytes: 2, at: expect.stringMatching(/^\d{4}-.*Z$/) },
      { name: older, bytes: 11, at: expect.any(String) },
    ],
  ]);
  const response = await app.request(`/deploy/backup/${older}`);
  expect([response.status, await response.text()]).toEqual([200, '{"uid":"a"}']);
  expect((await app.json("GET", "/deploy/backup/2026-11-22_08-14-26"))[0]).toBe(404);
  for (const malformed of ["last_backup", "2026", "..%2Fdeploy.json", `${older}x`])
    expect((await app.json("GET", `/deploy/backup/${malformed}`))[0], malformed).toBe(400);
});

test("without a folder of copies there are none", async () => {
  expect(await newApp().json("GET", "/deploy/backup")).toEqual([200, []]);
  const projects = nodeProjectStore({ folder: "/nowhere", templates: "/nowhere" });
  expect(await newApp({ projects }).json("GET", "/deploy/backup")).toEqual([200, []]);
});

test("each version that is deployed is copied, and one that was deployed by hand before", async () => {
  const app = newApp();
  app.memory.deployed = new TextEncoder().encode("by hand");
  for (const name of ["one", "two", "two"]) {
    app.place("a", { uid: "a", name });
    expect((await app.json("PUT", "/project/a/deploy"))[0]).toBe(201);
  }
  const [, list] = (await app.json("GET", "/deploy/backup")) as [number, readonly { name: string }[]];
  const contents = list.map(async ({ name }) => (await app.request(`/deploy/backup/${name}`)).text());
  expect((await Promise.all(contents)).map((text) => /one|two|by hand/.exec(text)?.[0])).toEqual([
    "two",
    "one",
    "by hand",
  ]);
});

test("a copy that fails is told in the log, and the boat is configured all the same", async () => {
  const app = newApp();
  const failure = new SystemError(28, "ENOSPC", "no space left on device");
  const projects = { ...app.services.projects, keepBackup: () => Promise.reject(failure) };
  const failing = newApp({ projects });
  app.place("a", { uid: "a", name: "A" });
  expect((await failing.json("PUT", "/project/a/deploy"))[0]).toBe(201);
  expect(app.memory.deployed).toBeDefined();
  expect(failing.log.lines.filter(({ level }) => level === "warn")).toMatchObject([
    { fields: { code: "BACKUP_FAILED", reason: "no space left on device" } },
    { fields: { code: "BACKUP_FAILED" } },
  ]);
});

test("thirty deployments in a minute take no daily copy away, have no name that is ahead of the clock, and no second link", async () => {
  const folder = temporaryFolder("backups");
  const paths = { source: join(folder, "deploy.json"), folder: join(folder, "backup") };
  for (let day = 1; day <= 30; day++) {
    writeFileSync(paths.source, `{"day":${day}}`);
    await keepBackups(paths, { wall: () => new Date(2026, 9, day, 0, 0, 1).getTime(), wait: async () => {} });
  }
  const daily = readdirSync(paths.folder);
  expect(daily).toHaveLength(31);
  const projects = nodeProjectStore({ folder, templates: join(folder, "templates") });
  for (let version = 1; version <= 35; version++) {
    await projects.deploy(new TextEncoder().encode(`{"version":${version}}`));
    await projects.keepBackup();
    await projects.keepBackup();
  }
  const now = nameAt(Date.now());
  expect(readdirSync(paths.folder)).toEqual(daily);
  const deployments = readdirSync(join(folder, "deployments"));
  expect(deployments).toHaveLength(30);
  expect(deployments.filter((name) => name.slice(0, now.length) > now)).toEqual([]);
  const listed = await projects.backups();
  const texts = await Promise.all(
    listed.map(async ({ name }) => new TextDecoder().decode(await projects.backup(name))),
  );
  expect(texts).toEqual([
    ...Array.from({ length: 30 }, (_, at) => `{"version":${35 - at}}`),
    ...Array.from({ length: 30 }, (_, at) => `{"day":${30 - at}}`),
  ]);
  const [newest, day] = [listed[0]!, listed[30]!];
  expect(new Date(day.at).getDate()).toBe(30);
  expect(Math.abs(Date.parse(newest.at) - Date.now())).toBeLessThan(120_000);
  // The daily run copies what is deployed, and the list has it in its place.
  await keepBackups(paths, { wall: Date.now, wait: async () => {} });
  expect(readdirSync(paths.folder)).toHaveLength(31);
});
