/** New versions of hub: the report of the program that installs them, and requests that need the boat's password. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeUpdateDesk } from "../../../src/adapters/node/files/update-desk.ts";
import { updateRequests } from "../../../src/core/report/update.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type App, newApp, secretHash, withSecret } from "./harness.ts";

const report = { phase: "idle", installed: "1.3.0", isNightly: false };
const password = { name: "password", hash: secretHash };

/** A boat whose project has the password "secret" and is deployed. */
async function newBoat(
  text = JSON.stringify(report),
  isDeployed = true,
): Promise<{ app: App; asked: () => readonly string[] }> {
  const folder = temporaryFolder("update");
  writeFileSync(join(folder, "report.json"), text);
  const app = newApp({ updates: nodeUpdateDesk(join(folder, "report.json"), folder) });
  app.place("boat", { uid: "u", name: "Boat", settings: [password] });
  if (isDeployed) expect((await app.json("PUT", "/project/boat/deploy", undefined, withSecret))[0]).toBe(201);
  return { app, asked: () => readdirSync(folder).filter((name) => name !== "report.json") };
}

test("GET /update has the report", async () => {
  const { app } = await newBoat();
  expect(await app.json("GET", "/update")).toEqual([200, report]);
});

test.each(["", "[]", JSON.stringify({ ...report, phase: "sleeping" })])(
  "where there is no report but %j, nothing updates hub",
  async (text) => {
    const { app, asked } = await newBoat(text);
    const nothing = [404, { error: "nothing updates hub here" }];
    expect(await app.json("GET", "/update")).toEqual(nothing);
    expect(await app.json("PUT", "/update/install", undefined, withSecret)).toEqual(nothing);
    expect(asked()).toEqual([]);
    expect(await newApp().json("GET", "/update")).toEqual(nothing);
  },
);

test.each(updateRequests)("%s is asked for with the boat's password, as a file without content", async (request) => {
  const { app, asked } = await newBoat();
  for (const headers of [{}, { Authorization: `Bearer ${"0".repeat(64)}` }] as Record<string, string>[])
    expect((await app.json("PUT", `/update/${request}`, undefined, headers))[0]).toBe(401);
  expect(asked()).toEqual([]);
  // Twice: the first request may not have been taken yet.
  for (let time = 0; time < 2; time++)
    expect(await app.json("PUT", `/update/${request}`, undefined, withSecret)).toEqual([201, report]);
  expect(asked()).toEqual([request]);
});

test("a boat on which nothing is deployed has no password yet", async () => {
  const { app, asked } = await newBoat(undefined, false);
  expect((await app.json("PUT", "/update/check"))[0]).toBe(201);
  expect(asked()).toEqual(["check"]);
});

test.each(["..", "tonight", "install%00", "report.json"])("there is no request %s", async (request) => {
  const { app, asked } = await newBoat();
  const [status] = await app.json("PUT", `/update/${request}`, undefined, withSecret);
  expect([400, 404]).toContain(status);
  expect(asked()).toEqual([]);
});
