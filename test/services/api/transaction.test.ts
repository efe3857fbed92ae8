import { expect, test } from "vitest";
import { SystemError } from "../../../src/core/ports/system-error.ts";
import type { Json } from "../../../src/core/project/json.ts";
import { type App, newApp, secretHash, withSecret } from "./harness.ts";

function withProject(): App {
  const app = newApp();
  app.place("a", { uid: "u", name: "A" });
  return app;
}

async function run(app: App, steps: Json, headers: Record<string, string> = {}) {
  const response = await app.request("/project/a/transaction", { method: "POST", body: steps, headers });
  const stepHeaders = [...response.headers].filter(([name]) => name.startsWith("x-step-"));
  return { status: response.status, body: await response.json(), headers: Object.fromEntries(stepHeaders) };
}

test("steps run in order on one copy, and the file is written once", async () => {
  const app = withProject();
  const steps = [
    { url: "/project/a/sensor/x", method: "PUT", data: { n: 1 } },
    { url: "/project/a/sensor/x", method: "get" },
    { url: "/project/a/device/130", method: "put" },
    { url: "/project/a/sensor/x", method: "Delete" },
    { url: "/project/a", method: "GET" },
    { url: "/project/a/backup", method: "GET" },
  ];
  const codes = [201, 200, 201, 200, 200, 200];
  const body = steps.map(({ url, method }, index) => ({ url, method: method.toUpperCase(), code: codes[index] }));
  const headers = body.flatMap((step, index) =>
    Object.entries(step).map(([name, value]) => [`x-step-${name}-${index + 1}`, String(value)]),
  );
  expect(await run(app, steps)).toEqual({ status: 200, body, headers: Object.fromEntries(headers) });
  expect(app.memory.writes).toBe(1);
  expect(JSON.parse(app.file("a")!)).toMatchObject({ sensor: [], device: [{ deviceId: 130 }] });
});

test("steps without url or method are skipped and leave a gap in the numbers", async () => {
  const app = withProject();
  const { status, body, headers } = await run(app, [
    5,
    null,
    { method: "GET" },
    { url: "/project/a/sensor" },
    { url: 5, method: "GET" },
    { url: "/project/a/sensor", method: ["GET"] },
    { url: "/project/a/sensor", method: "GET" },
  ]);
  expect([status, body]).toEqual([200, [{ url: "/project/a/sensor", method: "GET", code: 200 }]]);
  expect(headers).toEqual({ "x-step-url-7": "/project/a/sensor", "x-step-method-7": "GET", "x-step-code-7": "200" });
});

test("the first step that fails stops the run and nothing is saved", async () => {
  const app = withProject();
  const before = app.file("a");
  const { status, body, headers } = await run(app, [
    { url: "/project/a/sensor/x", method: "PUT", data: {} },
    {},
    { url: "/project/a/sensor/none", method: "DELETE" },
    { url: "/project/a/sensor/y", method: "PUT", data: {} },
  ]);
  expect([status, body]).toEqual([500, { error: "step 3 failed: 404 no such sensor entry" }]);
  expect(Object.keys(headers).sort()).toEqual(
    ["code-1", "code-3", "method-1", "method-3", "url-1", "url-3"].map((name) => `x-step-${name}`),
  );
  expect(headers["x-step-code-3"]).toBe("404");
  expect(app.file("a")).toBe(before);
  expect(app.memory.writes).toBe(0);
});

test.each<[Json, string]>([
  [{ url: "/project/a/sensor/x", method: "PUT" }, "400 missing body"],
  [{ url: "/project/a/sensor/x", method: "PUT", data: null }, "400 body must be an object"],
  [{ url: "/project/a/sensor/a.b", method: "PUT", data: {} }, "400 malformed name"],
  [{ url: "/project/a/device/4096", method: "PUT" }, "400 malformed device id"],
  [{ url: "/project/a/media/x", method: "PUT", data: { data: "?" } }, "400 invalid data: expected base64"],
  [{ url: "/project/a/media/x", method: "PUT", data: { data: 5 } }, "400 invalid data: expected base64"],
  [{ url: "/project/a/sensor/x", method: "PATCH" }, "404 no such route"],
  [{ url: "project/a/sensor", method: "GET" }, "404 no such route"],
  [{ url: "", method: "GET" }, "404 no such route"],
  [{ url: "/project//sensor", method: "GET" }, "404 no such route"],
  ...(["deploy", "restore", "duplicate/b", "rename/b", "transaction"].flatMap((part) =>
    ["PUT", "POST"].map((method) => [{ url: `/project/a/${part}`, method, data: {} }, "404 no such route"]),
  ) as [Json, string][]),
  [{ url: "/project/a", method: "PUT", data: {} }, "404 no such route"],
  [{ url: "/project/a", method: "DELETE" }, "404 no such route"],
  [{ url: "/project", method: "GET" }, "404 no such route"],
  [{ url: "/apps/x", method: "GET" }, "404 no such route"],
  [{ url: "/deploy", method: "GET" }, "404 no such route"],
  [{ url: "/info", method: "GET" }, "404 no such route"],
])("step %j fails with %s", async (step, error) => {
  const app = withProject();
  expect((await run(app, [step])).body).toEqual({ error: `step 1 failed: ${error}` });
  expect(app.memory.writes).toBe(0);
});

test("the id in a step's url is ignored, a proxy's prefix and a query are dropped", async () => {
  const app = withProject();
  app.place("other", { uid: "o" });
  const before = app.file("other");
  const { status } = await run(app, [
    { url: "/project/other/sensor/x", method: "PUT", data: {} },
    { url: "/project/not_an.id/sensor/y", method: "PUT", data: {} },
    { url: "/api/config/project/a/sensor/z?q=/1", method: "PUT", data: {} },
  ]);
  expect(status).toBe(200);
  expect(app.file("other")).toBe(before);
  expect(JSON.parse(app.file("a")!)).toMatchObject({ sensor: [{ name: "x" }, { name: "y" }, { name: "z" }] });
});

test("a media step carries base64; size and validator are computed", async () => {
  const app = withProject();
  const data = { metadata: { contentType: "image/png", size: 99, note: "kept" }, data: "AAECAw==" };
  expect((await run(app, [{ url: "/project/a/media/m", method: "PUT", data }])).status).toBe(200);
  const etag = Buffer.from(await crypto.subtle.digest("SHA-256", Uint8Array.of(0, 1, 2, 3))).toString("hex");
  expect((await app.json("GET", "/project/a/media"))[1]).toEqual([
    { name: "m", metadata: { contentType: "image/png", size: 4, note: "kept", etag } },
  ]);
  expect(new Uint8Array(await (await app.request("/project/a/media/m")).arrayBuffer())).toEqual(
    Uint8Array.of(0, 1, 2, 3),
  );
});

test("header values are printable ASCII of at most 256 characters, the body has them whole", async () => {
  const app = withProject();
  const url = `/project/é\n😀\ud800${"x".repeat(300)}/sensor`;
  const { status, body, headers } = await run(app, [{ url, method: "GET" }]);
  expect(status).toBe(200);
  expect(headers["x-step-url-1"]).toBe(`/project/%C3%A9%0A%F0%9F%98%80%EF%BF%BD${"x".repeat(300)}`.slice(0, 256));
  expect(body).toEqual([{ url, method: "GET", code: 200 }]);
});

test("bodies: an array, possibly empty; anything else is refused", async () => {
  const app = withProject();
  expect(await run(app, [])).toEqual({ status: 200, body: [], headers: {} });
  expect(await app.json("POST", "/project/a/transaction", {})).toEqual([400, { error: "body must be an array" }]);
  expect(await app.json("POST", "/project/a/transaction")).toEqual([400, { error: "missing body" }]);
  expect(await app.json("POST", "/project/none/transaction", [])).toEqual([404, { error: "no such project" }]);
});

test("a transaction that only reads writes nothing, however the file is formatted", async () => {
  const app = newApp();
  app.place("a", '{"uid":"u"}');
  expect((await run(app, [{ url: "/project/a/sensor", method: "GET" }])).status).toBe(200);
  expect(app.file("a")).toBe('{"uid":"u"}');
});

test("the password is asked for once; a step that changes it counts for the next request", async () => {
  const app = newApp();
  app.place("a", { settings: [{ name: "password", hash: secretHash }] });
  const steps: Json = [
    { url: "/project/a/settings/password", method: "PUT", data: { hash: "0".repeat(64) } },
    { url: "/project/a/sensor/x", method: "PUT", data: {} },
  ];
  expect((await run(app, steps)).status).toBe(401);
  expect((await run(app, steps, withSecret)).status).toBe(200);
  expect((await run(app, steps, withSecret)).status).toBe(401);
});

test("a file that cannot be written is told, with the headers of all steps", async () => {
  const app = withProject();
  app.memory.failure = new SystemError(28, "ENOSPC", "no space left on device");
  const { status, body, headers } = await run(app, [{ url: "/project/a/sensor/x", method: "PUT", data: {} }]);
  expect([status, body]).toEqual([
    500,
    { error: "cannot save project", errno: 28, code: "ENOSPC", message: "no space left on device" },
  ]);
  expect(headers["x-step-code-1"]).toBe("201");
});

test("a thousand steps come back with three thousand headers", async () => {
  const app = withProject();
  const steps = Array.from({ length: 1000 }, (_, n) => ({
    url: `/project/a/sensor/s${n}`,
    method: "PUT",
    data: { n },
  }));
  const { status, headers } = await app.request("/project/a/transaction", { method: "POST", body: steps });
  // Asked for by name: Deno takes seconds to list as many.
  const has = (number: number): boolean =>
    ["url", "method", "code"].every((of) => headers.has(`x-step-${of}-${number}`));
  expect([status, steps.findIndex((_, index) => !has(index + 1)), has(1001)]).toEqual([200, -1, false]);
});

test("10,000 steps are the most, without those that are skipped", async () => {
  const app = newApp();
  app.place("a", { uid: "a", name: "A" });
  const step = { url: "/project/a/sensor", method: "GET" };
  const skipped = Array(5).fill({ url: "/project/a/sensor" });
  const send = (steps: number) => app.json("POST", "/project/a/transaction", [...Array(steps).fill(step), ...skipped]);
  expect((await send(10_000))[0]).toBe(200);
  expect(await send(10_001)).toEqual([400, { error: "invalid body: more than 10000 steps" }]);
});
