/** The copies of what was deployed, listed and read through the API, from memory and from files. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nodeProjectStore } from "../../src/adapters/node/project-store.ts";
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
  const folder = mkdtempSync(join(tmpdir(), "hub-backups-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
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
      { name: newer, bytes: 2 },
      { name: older, bytes: 11 },
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
