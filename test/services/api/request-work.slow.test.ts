/** Requests that would hold up others are served elsewhere, all others here, whatever their bytes are. */
import { expect, test } from "vitest";
import { type Json, print } from "../../../src/core/project/json.ts";
import type { Elsewhere } from "../../../src/services/api/http/request-work.ts";
import { type App, newApp } from "./harness.ts";

const photo = (name: string): Json => ({ name, metadata: { contentType: "image/jpeg" }, data: "Aa0/".repeat(1 << 19) });
const entries = (count: number): Json => Array.from({ length: count }, (_, n) => ({ name: `n${n}`, value: n }));

/** Four photos of 2 MB each. */
const photos: Json = { uid: "p", name: "Photos", settings: [], media: ["a", "b", "c", "d"].map(photo) };
/** Two megabytes of small entries. */
const dense: Json = { uid: "d", name: "Dense", sensor: entries(40_000) };
/** A project with one string that is longer than the limit of bytes. */
const huge: Json = { uid: "h", name: "Huge", media: [{ name: "film", data: "A".repeat(17 << 20) }] };
/** Eight megabytes that JavaScript decodes slowly. */
const foreign: Json = { uid: "f", name: "Foreign", view: [{ name: "text", text: "é".repeat(4 << 20) }] };

interface Passed {
  readonly app: App;
  readonly bodies: (string | undefined)[];
  request(method: string, path: string, body?: Json | Uint8Array, headers?: Record<string, string>): Promise<Response>;
}

function withElsewhere({ hold = () => true }: Partial<Elsewhere> = {}): Passed {
  const app = newApp();
  for (const [id, project] of Object.entries({ photos, dense, huge, foreign })) app.place(id, project);
  const bodies: (string | undefined)[] = [];
  const elsewhere: Elsewhere = {
    hold,
    async pass(body) {
      let text = body && "";
      for await (const chunk of body ?? []) text += Buffer.from(chunk).toString("latin1");
      bodies.push(text);
      return new Response("elsewhere", { status: 299 });
    },
  };
  const request: Passed["request"] = (method, path, body, headers = {}) => {
    const length = body instanceof Uint8Array ? body.length : Buffer.byteLength(print(body ?? null));
    return app.request(path, {
      method,
      ...(body !== undefined && { body }),
      headers: { ...(body !== undefined && { "Content-Length": `${length}` }), ...headers },
      bindings: { elsewhere },
    });
  };
  return { app, bodies, request };
}

const step = (n: number): Json => ({ method: "PUT", url: `/project/x/sensor/s${n}`, data: {} });

test.each<[string, string, Json | Uint8Array | undefined, number]>([
  ["GET", "/project/photos/media/a", undefined, 200],
  ["GET", "/project/photos/backup", undefined, 200],
  ["GET", "/project/photos", undefined, 200],
  ["PUT", "/project/photos/settings/unit", { depth: "m" }, 201],
  ["PUT", "/project/photos/media/e", new Uint8Array(4 << 20), 201],
  ["PUT", "/project/photos/deploy", undefined, 201],
  ["PUT", "/project/photos/duplicate/copy", undefined, 201],
  ["PUT", "/project/new/restore", photos, 201],
  ["DELETE", "/project/photos", undefined, 200],
  ["POST", "/project/photos/transaction", Array.from({ length: 100 }, (_, n) => step(n)), 200],
  ["PUT", "/apps/large", new Uint8Array(20 << 20), 201],
  ["GET", "/project/dense/sensor/n1", undefined, 299],
  ["PUT", "/project/dense/deploy", undefined, 299],
  ["DELETE", "/project/dense", undefined, 299],
  ["GET", "/project/huge/media/film", undefined, 299],
  ["GET", "/project/foreign/view", undefined, 299],
  ["GET", "/project", undefined, 299],
  ["PUT", "/project/photos/view/x", { widgets: entries(40_000) }, 299],
  ["PUT", "/project/new/restore", dense, 299],
  ["PUT", "/project/new/restore", huge, 299],
  ["POST", "/project/photos/transaction", Array.from({ length: 1000 }, (_, n) => step(n)), 299],
])("%s %s is answered here or elsewhere", async (method, path, body, status) => {
  const { app, bodies, request } = withElsewhere();
  const before = new Map(app.memory.projects);
  const response = await request(method, path, body);
  expect(response.status).toBe(status);
  if (status !== 299) return expect(bodies).toEqual([]);
  expect(await response.text()).toBe("elsewhere");
  // Nothing has been changed, and the body is passed on whole, unless nothing of it has been read.
  expect(app.memory.projects.size).toBe(before.size);
  for (const [id, bytes] of before) expect(app.memory.projects.get(id) === bytes).toBe(true);
  expect(bodies).toHaveLength(1);
  const sent = body === undefined ? "" : Buffer.from(print(body as Json)).toString("latin1");
  expect(bodies[0] === undefined || bodies[0] === sent).toBe(true);
  expect(app.log.lines).toEqual([]);
});

test("a request is refused here before it is passed on", async () => {
  const { bodies, request } = withElsewhere();
  expect((await request("PUT", "/project/a b/restore", dense)).status).toBe(400);
  expect((await request("PUT", "/project/new/restore", dense, { "Sec-Fetch-Site": "cross-site" })).status).toBe(401);
  expect((await request("PUT", "/project/new/nothing", dense)).status).toBe(404);
  expect(bodies).toEqual([]);
});

test("a request that is passed on holds no lock", async () => {
  const { app, request } = withElsewhere();
  const elsewhere: Elsewhere = { hold: () => true, pass: async () => app.request("/project/other", { method: "PUT" }) };
  const passed = app.request("/project/dense/settings/a", { method: "PUT", body: {}, bindings: { elsewhere } });
  expect((await passed).status).toBe(201);
  expect((await request("PUT", "/project/photos/settings/a", {})).status).toBe(201);
});

test("a body that comes in chunks is read up to the limit and passed on with its rest", async () => {
  const { app } = withElsewhere();
  const received: number[] = [];
  const elsewhere: Elsewhere = {
    hold: () => true,
    async pass(body) {
      let length = 0;
      for await (const chunk of body!) length += chunk.length;
      received.push(length);
      return new Response(null, { status: 299 });
    },
  };
  const put = (chunks: number): Promise<number> => {
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (chunks-- > 0) controller.enqueue(new Uint8Array(1 << 20));
        else controller.close();
      },
    });
    const init = { method: "PUT", body: stream, duplex: "half", headers: { "Transfer-Encoding": "chunked" } };
    const request = new Request("http://127.0.0.1:12000/project/photos/media/x", init as RequestInit);
    return Promise.resolve(app.fetch(request, { elsewhere })).then(({ status }) => status);
  };
  expect([await put(4), await put(30)]).toEqual([201, 299]);
  expect(received).toEqual([30 << 20]);
});

test("bodies and responses for which there is no room are left to others", async () => {
  const held: number[] = [];
  const hold = (bytes: number): boolean => {
    held.push(bytes);
    return false;
  };
  const { request } = withElsewhere({ hold });
  expect((await request("PUT", "/project/photos/media/e", new Uint8Array(1 << 20))).status).toBe(299);
  expect((await request("GET", "/project/photos/backup")).status).toBe(299);
  expect(held.every((bytes) => bytes > 0)).toBe(true);
  held.length = 0;
  expect((await request("PUT", "/project/photos/settings/e", {})).status).toBe(201);
  expect((await request("GET", "/project/photos/settings")).status).toBe(200);
  expect(held).toEqual([]);
});

test("without a place elsewhere all is served here", async () => {
  const { app } = withElsewhere();
  expect((await app.json("PUT", "/project/dense/settings/a", {}))[0]).toBe(201);
  expect((await app.json("PUT", "/project/huge/settings/a", {}))[0]).toBe(201);
});
