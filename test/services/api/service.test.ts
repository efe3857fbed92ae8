import { expect, test } from "vitest";
import { sectionNames } from "../../../src/core/project/document.ts";
import { secretOf } from "../../../src/core/project/password.ts";
import { identityOf } from "../../../src/services/api/app.ts";
import { identityPayload } from "../../../src/services/api/identity.ts";
import { startingResponse } from "../../../src/services/api/starting.ts";
import { memoryBlobStore } from "../../support/memory/blob-store.ts";
import { contractSections, features } from "./contract-sections.ts";
import { endpoints } from "./endpoints.ts";
import { newApp, secretHash, withSecret } from "./harness.ts";

test("the sections are the document's", () => {
  expect(sectionNames, "a new section is added to test/services/api/contract-sections.ts").toEqual(contractSections);
});

test("the MQTT payload is the identity with its liveness, and expires in 99 years", () => {
  expect(JSON.parse(identityPayload(identityOf(newApp().services), true, 1_795_248_866_123))).toEqual({
    name: "hub-configd",
    version: "1.0.0",
    hostname: "boat",
    features,
    online: true,
    metadata: { rxdate: "2026-11-21T08:14:26.123Z", rxTimestamp: 1795248866, expireAfterSec: 3124137600 },
  });
});

test.each<[string, string, boolean]>([
  ["GET", "/health", true],
  ["HEAD", "/health", true],
  ["GET", "/health?x=1", true],
  ["GET", "http://boat:12000/health", true],
  ["PUT", "/health", false],
  ["GET", "/health/", false],
  ["GET", "/healthy", false],
  ["GET", "/info", false],
])("while the application is loaded %s %s is answered: %s", (method, target, isAnswered) => {
  const starting = { status: 503, json: { status: "starting" } };
  expect(startingResponse(method, target)).toEqual(isAnswered ? starting : undefined);
});

test("responses are pretty-printed JSON without caching or sniffing", async () => {
  const response = await newApp().request("/health");
  expect(await response.text()).toBe('{\n  "status": "ready"\n}\n');
  expect(Object.fromEntries(response.headers)).toEqual({
    "cache-control": "no-store",
    "content-type": "application/json",
    "x-content-type-options": "nosniff",
  });
  expect(Object.fromEntries((await newApp().request("/none")).headers)).toEqual(Object.fromEntries(response.headers));
});

test("every path answers 404 to the methods it does not have", async () => {
  const app = newApp();
  app.place("a", {});
  for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) {
    const has = endpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method);
    const concrete = path
      .replace("{deviceId}", "1")
      .replace("{zone}", "16")
      .replace("{index}", "0")
      .replaceAll(/\{\w+\}/g, "a");
    for (const method of ["GET", "PUT", "POST", "DELETE", "OPTIONS", "PATCH"]) {
      if (has.includes(method)) continue;
      const response = await app.request(concrete, { method });
      expect([method, path, response.status]).toEqual([method, path, 404]);
      expect(await response.json()).toEqual({ error: "no such route" });
    }
  }
});

test("the table of endpoints is the contract's, the copies of what was deployed, the charts, and updates", () => {
  const list = endpoints.map(({ method, path, success }) => `${method} ${path.replaceAll(/\{\w+\}/g, "*")} ${success}`);
  expect(list.sort(), "a new endpoint is added to this table").toEqual(
    [
      ...["GET /health 200", "GET /info 200", "GET /deploy 200", "GET /project 200"],
      ...["GET /deploy/backup 200", "GET /deploy/backup/* 200"],
      ...["GET /update 200", "PUT /update/* 201"],
      ...["GET /charts 200", "PUT /charts/*/*/* 201", "DELETE /charts/* 200"],
      ...["GET /project/* 200", "PUT /project/* 201", "DELETE /project/* 200"],
      ...["GET /project/*/backup 200", "PUT /project/*/restore 201", "PUT /project/*/deploy 201"],
      ...["PUT /project/*/duplicate/* 201", "PUT /project/*/rename/* 201", "POST /project/*/transaction 200"],
      ...["GET /project/*/settings 200", "PUT /project/*/settings/* 201", "DELETE /project/*/settings/* 200"],
      ...sectionNames
        .filter((section) => section !== "settings")
        .flatMap((section) => [
          `GET /project/*/${section} 200`,
          `GET /project/*/${section}/* 200`,
          `PUT /project/*/${section}/* 201`,
          `DELETE /project/*/${section}/* 200`,
        ]),
      ...["parameters", "legends", "legend/*"].flatMap((part) => [
        `GET /project/*/device/*/${part} 200`,
        `PUT /project/*/device/*/${part} 201`,
        `DELETE /project/*/device/*/${part} 200`,
      ]),
      ...["PUT /project/*/device/*/parameter/* 201", "DELETE /project/*/device/*/parameter/* 200"],
      ...["tags", "enabled", "texts", "settings", "name"].map((part) => `PUT /project/*/view/*/${part} 200`),
      ...["PUT /project/*/commissioning/*/rules 201", "DELETE /project/*/commissioning/*/rules/* 201"],
      ...["GET /apps 200", "GET /apps/* 200", "PUT /apps/* 201", "DELETE /apps/* 200"],
    ].sort(),
  );
});

test.each([
  ["/project/a_b", "malformed project id"],
  [`/project/${"a".repeat(64)}`, "malformed project id"],
  ["/project/%zz", "malformed project id"],
  ["/project/a%2Fb", "malformed project id"],
  ["/project/a.b/sensor/x", "malformed project id"],
  ["/project/a/sensor/a.b", "malformed name"],
  ["/project/a/sensor/%2ea", "malformed name"],
  ["/project/a/settings/%2e%2e%2e", "malformed name"],
  ["/project/a/device/4096", "malformed device id"],
  ["/project/a/device/1/legend/15", "malformed zone"],
  ["/project/a/device/1/legend/16.", "malformed zone"],
  ["/project/a/duplicate/b.c", "malformed project id"],
  ["/apps/a.b", "malformed name"],
])("%s is 400 %s, whether the project exists or not", async (path, error) => {
  const app = newApp();
  for (let round = 0; round < 2; round++) {
    const method = path.includes("duplicate") || path.includes("settings") ? "PUT" : "GET";
    expect(await app.json(method, path)).toEqual([400, { error }]);
    app.place("a", { settings: [{ name: "password", hash: secretHash }] });
  }
});

test.each([
  ...["/health/", "//health", "/project/", "/project//sensor", "/project/a/", "/project/a/sensor/"],
  ...["/project/a/nothing", "/Project", "/%zz"],
])("%s is no route", async (path) => {
  const app = newApp();
  app.place("a", {});
  expect(await app.json("GET", path)).toEqual([404, { error: "no such route" }]);
});

test("a segment is decoded once and a query is ignored", async () => {
  const app = newApp();
  app.place("a", { sensor: [{ name: "x" }] });
  expect((await app.json("GET", "/%70roject/%61/sensor/%78?a=/b&c"))[1]).toEqual({ name: "x" });
});

test("requests are refused in one order: route, site, segments, body, project, password, shape, entry", async () => {
  const app = newApp();
  const put = (path: string, body: string | undefined, headers: Record<string, string> = {}) =>
    app.json("PUT", path, body, headers);
  const foreign = { "Sec-Fetch-Site": "cross-site" };
  expect(await put("/project/a_b/none", "{", foreign)).toEqual([404, { error: "no such route" }]);
  expect(await put("/project/a_b/view/x/name", "{", foreign)).toEqual([401, { error: "cross-site request refused" }]);
  expect(await put("/project/a_b/view/x/name", "{")).toEqual([400, { error: "malformed project id" }]);
  expect(await put("/project/a/view/x/name", undefined)).toEqual([400, { error: "missing body" }]);
  expect(await put("/project/a/view/x/name", "{")).toEqual([400, { error: "body is not valid JSON" }]);
  expect(await put("/project/a/view/x/name", "5")).toEqual([404, { error: "no such project" }]);
  app.place("a", { settings: [{ name: "password", hash: secretHash }], view: [{ name: "y" }] });
  expect(await put("/project/a/view/x/name", "5")).toEqual([401, { error: "password required" }]);
  expect(await put("/project/a/view/x/name", "5", withSecret)).toEqual([400, { error: "body must be a string" }]);
  expect(await put("/project/a/view/x/name", '"y"', withSecret)).toEqual([404, { error: "no such view entry" }]);
});

test.each(["PUT", "DELETE", "POST"])("%s from another site is refused, reading is not", async (method) => {
  const app = newApp();
  app.place("a", {});
  const path = method === "POST" ? "/project/a/transaction" : "/project/a/sensor/x";
  const refused = await app.json(method, path, [], { "Sec-Fetch-Site": "cross-site" });
  expect(refused).toEqual([401, { error: "cross-site request refused" }]);
  for (const site of ["same-origin", "same-site", "none"]) {
    expect((await app.json(method, path, method === "PUT" ? {} : [], { "Sec-Fetch-Site": site }))[0]).not.toBe(401);
  }
  expect((await app.json("GET", "/project/a", undefined, { "Sec-Fetch-Site": "cross-site" }))[0]).toBe(200);
});

test("the password is asked for by every endpoint that opens the project, and by no other", async () => {
  const app = newApp();
  const place = () => app.place("a", { uid: "u", settings: [{ name: "password", hash: secretHash }] });
  for (const { method, path, hasBody } of endpoints) {
    place();
    const concrete = path
      .replace("{id}", "a")
      .replace("{newId}", "b")
      .replace("{deviceId}", "1")
      .replace("{zone}", "16")
      .replace("{index}", "0")
      .replaceAll(/\{\w+\}/g, "x");
    const sent = hasBody ? {} : undefined;
    const [status, answer] = await app.json(method, concrete, sent);
    const opens = path.startsWith("/project/");
    expect([method, path, status === 401]).toEqual([method, path, opens]);
    if (opens) expect(answer).toEqual({ error: "password required" });
    if (opens) expect((await app.json(method, concrete, sent, withSecret))[0]).not.toBe(401);
  }
});

test.each([
  [undefined, false],
  ["", false],
  [secretHash, false],
  [`Bearer${secretHash}`, false],
  [`Bearer ${secretHash}`, true],
  [`bearer ${secretHash}`, true],
  [`Anything ${secretHash}`, true],
  [`Bearer  ${secretHash}`, false],
  [`Bearer ${secretHash} more`, false],
  [`Bearer ${secretHash.toUpperCase()}`, false],
  [`Bearer ${secretHash.slice(1)}`, false],
  ["Bearer secret", false],
])("Authorization %j opens a protected project: %s", async (header, opens) => {
  const app = newApp();
  app.place("a", { settings: [{ name: "password", hash: secretHash }] });
  const headers: Record<string, string> = header === undefined ? {} : { Authorization: header };
  expect((await app.json("GET", "/project/a", undefined, headers))[0]).toBe(opens ? 200 : 401);
});

test("a password entry without a usable hash locks the project", async () => {
  const app = newApp();
  for (const entry of [{}, { hash: null }, { hash: "" }, { hash: 5 }]) {
    app.place("a", { settings: [{ name: "password", ...entry }] });
    expect((await app.json("GET", "/project/a", undefined, withSecret))[0]).toBe(401);
    expect((await app.json("GET", "/project/a", undefined, { Authorization: "Bearer " }))[0]).toBe(401);
  }
  expect(secretOf({ settings: [{ name: "password" }] })).toBe("locked");
});

test("changing the password needs the current one, and its deletion opens the project", async () => {
  const app = newApp();
  app.place("a", {});
  const hash = "0".repeat(64);
  await app.json("PUT", "/project/a/settings/password", { hash: secretHash });
  expect((await app.json("PUT", "/project/a/settings/password", { hash }))[0]).toBe(401);
  expect((await app.json("PUT", "/project/a/settings/password", { hash }, withSecret))[0]).toBe(201);
  expect((await app.json("GET", "/project/a", undefined, withSecret))[0]).toBe(401);
  const withZeros = { Authorization: `Bearer ${hash}` };
  expect((await app.json("DELETE", "/project/a/settings/password", undefined, withZeros))[0]).toBe(200);
  expect((await app.json("GET", "/project/a"))[0]).toBe(200);
  expect(JSON.stringify(app.log.lines)).not.toContain(hash);
});

test("restore is gated by the password of the file on disk, not by that of the body", async () => {
  const app = newApp();
  app.place("a", { settings: [{ name: "password", hash: secretHash }] });
  const body = { settings: [{ name: "password", hash: "0".repeat(64) }] };
  expect((await app.json("PUT", "/project/a/restore", body, { Authorization: `Bearer ${"0".repeat(64)}` }))[0]).toBe(
    401,
  );
  expect((await app.json("PUT", "/project/a/restore", body, withSecret))[0]).toBe(201);
});

test("the rest of a file that a client resumes does not replace the file", async () => {
  const app = newApp();
  const rest = { "Content-Range": "bytes 3-4/5" };
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  await app.json("PUT", "/apps/plotter", bytes("whole"));
  const refused = [400, { error: "part of a body refused" }];
  expect(await app.json("PUT", "/apps/plotter", bytes("le"), rest)).toEqual(refused);
  expect(await (await app.request("/apps/plotter")).text()).toBe("whole");
});

test("HEAD of an application closes its file, which GET streams", async () => {
  let isClosed = false;
  const cancel = (): void => {
    isClosed = true;
  };
  const app = newApp({ blobStore: { ...memoryBlobStore(), read: async () => new ReadableStream({ cancel }) } });
  const { status, body } = await app.request("/apps/plotter", { method: "HEAD" });
  expect([status, body, isClosed]).toEqual([200, null, true]);
});

test("the console is what is in its folder, behind the endpoints", async () => {
  const app = newApp({
    files: {
      "index.html": "<p>",
      "app.js": "1",
      "odd.bin": "x",
      health: "hidden",
      "sub/index.html": "sub",
      "a b.txt": "t",
    },
  });
  const got = async (path: string) => {
    const response = await app.request(path);
    return [
      response.status,
      response.headers.get("content-type"),
      response.headers.get("cache-control"),
      await response.text(),
    ];
  };
  expect(await got("/")).toEqual([200, "text/html; charset=utf-8", "max-age=300", "<p>"]);
  expect(await got("/index.html?v=1")).toEqual([200, "text/html; charset=utf-8", "max-age=300", "<p>"]);
  expect(await got("/app.js")).toEqual([200, "text/javascript; charset=utf-8", "max-age=300", "1"]);
  expect(await got("/odd.bin")).toEqual([200, "application/octet-stream", "max-age=300", "x"]);
  expect(await got("/sub/")).toEqual([200, "text/html; charset=utf-8", "max-age=300", "sub"]);
  expect((await got("/a%20b.txt"))[3]).toBe("t");
  expect((await got("/health"))[1]).toBe("application/json");
  for (const path of ["/none", "/sub", "/.git", "/%2e%2e%2fetc", "/sub%2findex.html", "/app.js/", "/%00"]) {
    expect((await got(path)).slice(0, 2)).toEqual([404, "application/json"]);
  }
  expect((await app.request("/", { method: "PUT", body: "x" })).status).toBe(404);
});

test("with -v there is one line per request, without queries", async () => {
  const app = newApp();
  await app.json("GET", "/health?token=secret");
  await app.json("GET", "/project/none", undefined, withSecret);
  expect(app.log.lines).toEqual([
    { level: "debug", message: "GET /health 200 0 ms", fields: {} },
    { level: "debug", message: "GET /project/none 404 0 ms", fields: {} },
  ]);
});
