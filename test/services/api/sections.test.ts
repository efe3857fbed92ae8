import { expect, test } from "vitest";
import { sectionNames } from "../../../src/core/project/document.ts";
import { type Json, print } from "../../../src/core/project/json.ts";
import { plainSections } from "./contract-sections.ts";
import { type App, newApp, secretHash, withSecret } from "./harness.ts";

function blank(): App {
  const app = newApp();
  app.place("a", { uid: "u", name: "A" });
  return app;
}

const families = [...plainSections, "muxing", "settings", "commissioning"];

test.each(families)("%s refuses bodies that are no object, and the file stays", async (path) => {
  const app = blank();
  const before = app.file("a");
  const put = async (body?: Json | Uint8Array) => (await app.json("PUT", `/project/a/${path}/x`, body))[1];
  for (const body of [[], '"x"', 5, true, null]) expect(await put(body)).toEqual({ error: "body must be an object" });
  expect(await put()).toEqual({ error: "missing body" });
  const invalid = Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d);
  for (const body of ["{", '{"a": 1e400}', invalid])
    expect(await put(body)).toEqual({ error: "body is not valid JSON" });
  expect([app.file("a"), app.memory.writes]).toEqual([before, 0]);
});

test("what is not known is kept at every level, with its order and its large integers", async () => {
  const app = newApp();
  const odd = (sensor: string): string => `{
  "zeta": 1,
  "__proto__": {
    "polluted": true
  },
  "sensor": [
    {
      "kind": "x",
      "name": "kept",
      "device": 13868994482250310209
    }${sensor}
  ],
  "alpha": [
    -9223372036854775809
  ]
}
`;
  app.place("a", odd(""));
  expect(
    (await app.json("PUT", "/project/a/sensor/new", '{"__proto__": {"x": 1}, "n": 18446744073709551615}'))[0],
  ).toBe(201);
  expect(app.file("a")).toBe(
    odd(
      ',\n    {\n      "name": "new",\n      "__proto__": {\n        "x": 1\n      },\n      "n": 18446744073709551615\n    }',
    ),
  );
  await app.json("DELETE", "/project/a/sensor/new");
  expect(app.file("a")).toBe(odd(""));
});

test("a section that was absent is made when something is put into it, and not before", async () => {
  const app = blank();
  const before = app.file("a");
  for (const path of sectionNames.filter((name) => name !== "synapse")) {
    expect(await app.json("GET", `/project/a/${path}`)).toEqual([200, []]);
  }
  expect(await app.json("GET", "/project/a/synapse")).toEqual([200, {}]);
  expect(app.file("a")).toBe(before);
  await app.json("PUT", "/project/a/energy/x", {});
  expect(app.file("a")).toBe(print({ uid: "u", name: "A", energy: [{ name: "x" }] }));
});

test("of a repeated name the first entry counts and the other is kept", async () => {
  const app = newApp();
  app.place("a", { sensor: [{ name: "x", n: 1 }, { name: "x", n: 2 }, { nameless: true }] });
  expect((await app.json("GET", "/project/a/sensor/x"))[1]).toEqual({ name: "x", n: 1 });
  await app.json("PUT", "/project/a/sensor/x", { n: 3 });
  expect((await app.json("GET", "/project/a/sensor"))[1]).toEqual([
    { name: "x", n: 3 },
    { name: "x", n: 2 },
    { nameless: true },
  ]);
});

test("nothing is written when nothing changes", async () => {
  const app = blank();
  await app.json("PUT", "/project/a/sensor/x", { a: 1 });
  const { writes } = app.memory;
  expect((await app.json("PUT", "/project/a/sensor/x", { a: 1 }))[0]).toBe(201);
  await app.json("PUT", "/project/a/device/1");
  await app.json("PUT", "/project/a/device/1");
  expect(app.memory.writes).toBe(writes + 1);
});

test("names of members that every object of JavaScript has are names of entries", async () => {
  const app = blank();
  await app.json("PUT", "/project/a/synapse/constructor", { a: 1 });
  expect(await app.json("GET", "/project/a/synapse")).toEqual([200, { constructor: { a: 1 } }]);
  for (const method of ["GET", "DELETE"]) {
    expect(await app.json(method, "/project/a/synapse/toString")).toEqual([404, { error: "no such synapse entry" }]);
  }
});

test("settings/password takes a hash and nothing else", async () => {
  const app = blank();
  const put = (body: Json) => app.json("PUT", "/project/a/settings/password", body, withSecret);
  const refused = [400, { error: "invalid hash: expected 64 lower-case hex digits" }];
  for (const hash of [undefined!, 1, "secret", secretHash.toUpperCase(), `${secretHash}0`])
    expect(await put({ hash })).toEqual(refused);
  expect(await put({ hash: secretHash })).toEqual([201, { name: "password", hash: secretHash }]);
});

test.each<[Json, string]>([
  [[], "body must be an object"],
  [{ parameters: {} }, "invalid parameters: expected array"],
  [{ parameters: [{ value: 1 }] }, "invalid parameters.0.name: expected string"],
  [{ parameters: [{ name: "a/b", value: 1 }] }, "invalid parameters.0.name: malformed name"],
  [{ legend: [{ zone: 15, text: "x" }] }, "invalid legend.0.zone: expected 16 to 35"],
  [{ legend: [{ zone: 16.5, text: "x" }] }, "invalid legend.0.zone: expected integer"],
  [{ legend: [{ zone: 16, region: "F R", text: "x" }] }, "invalid legend.0.region: malformed region"],
])("device refuses %j: %s", async (body, error) => {
  const app = blank();
  expect(await app.json("PUT", "/project/a/device/130", body)).toEqual([400, { error }]);
  expect(app.memory.writes).toBe(0);
});

test.each<[string, string, Json | undefined, string]>([
  ["PUT", "parameters", { name: "p", value: 1 }, "body must be an array"],
  ["PUT", "parameters", [{ name: "p", value: 1 }, { value: 1 }], "invalid 1.name: expected string"],
  ["PUT", "parameters", [{ name: "p", value: 1 }, 5], "invalid 1: expected object"],
  ["PUT", "legends", [{ zone: "36", text: "x" }], "invalid 0.zone: malformed zone"],
  ["PUT", "legends", [{ text: "x" }], "invalid 0.zone: malformed zone"],
  ["DELETE", "legends", [true], "invalid 0: malformed zone"],
  ["PUT", "parameters", undefined, "missing body"],
  ["PUT", "parameter/p", [], "body must be an object"],
  ["DELETE", "parameters", "p", "body is not valid JSON"],
  ["DELETE", "parameters", {}, "body must be an array"],
  ["DELETE", "parameters", [1], "invalid 0: expected string"],
  ["DELETE", "parameters", ["p", "a/b"], "invalid 1: malformed name"],
  ["DELETE", "parameters", undefined, "missing body"],
  ["PUT", "legends", [{ zone: 16 }, { zone: 36 }], "invalid 1.zone: expected 16 to 35"],
  ["DELETE", "legends", ["16", "15"], "invalid 1: malformed zone"],
])("%s %s refuses %j and changes nothing", async (method, path, body, error) => {
  const app = newApp();
  app.place("a", {
    device: [{ deviceId: 130, parameters: [{ name: "p", value: 1 }], legend: [{ zone: 16, text: "x" }] }],
  });
  expect(await app.json(method, `/project/a/device/130/${path}`, body)).toEqual([400, { error }]);
  expect(app.memory.writes).toBe(0);
});

test.each<Json>([
  ...[{}, "x", [{ deviceId: 4096, parameters: [] }], [{ deviceId: 1 }], [{ deviceId: 1, parameters: [{ value: 2 }] }]],
])("a muxing config of another shape is kept and sets nothing: %j", async (config) => {
  const app = newApp();
  const device = { deviceId: 1, parameters: [{ name: "p", value: 1 }] };
  app.place("a", { device: [device] });
  expect(await app.json("PUT", "/project/a/muxing/m", { config })).toEqual([201, { name: "m", config }]);
  expect((await app.json("GET", "/project/a/device/1"))[1]).toEqual(device);
});

test("a commissioning rule is any object, and rules are a list", async () => {
  const app = blank();
  await app.json("PUT", "/project/a/commissioning/g", {});
  expect(await app.json("DELETE", "/project/a/commissioning/g/rules/x")).toEqual([400, { error: "malformed index" }]);
  for (const body of [{}, { option: 5, muxing: "m" }, { option: "a", muxing: ["a b", 1] }]) {
    expect((await app.json("PUT", "/project/a/commissioning/g/rules", body))[0]).toBe(201);
    expect(await app.json("PUT", "/project/a/commissioning/h", { rules: [body] })).toEqual([
      201,
      { groupId: "h", rules: [body] },
    ]);
  }
  expect((await app.json("PUT", "/project/a/commissioning/g/rules", []))[1]).toEqual({
    error: "body must be an object",
  });
  expect(await app.json("PUT", "/project/a/commissioning/g", { rules: {} })).toEqual([
    400,
    { error: "invalid rules: expected array" },
  ]);
});

test.each<[string, Json, Json]>([
  ["tags", { tags: [] }, { tags: [] }],
  ["enabled", { enabled: false }, { enabled: false }],
  [
    "settings",
    { title: "T", order: 3, icon: null, home: true },
    { settings: { kept: 1, title: "T", order: 3, home: true } },
  ],
  ["name", { name: "helm-2" }, { name: "helm-2" }],
  ["name", '"helm"', {}],
])("PUT view/%s %j answers 200 with the stripped view", async (part, body, change) => {
  const app = newApp();
  const view = { name: "helm", tags: ["x"], enabled: true, settings: { kept: 1, icon: "i" } };
  app.place("a", { view: [{ name: "first" }, { ...view, body: 5 }, { name: "last" }] });
  const after = { ...view, ...(change as object) };
  expect(await app.json("PUT", `/project/a/view/helm/${part}`, body)).toEqual([200, after]);
  expect(((await app.json("GET", "/project/a/view"))[1] as Json[])[1]).toEqual(after);
  expect((await app.json("GET", `/project/a/view/${after.name}`))[1]).toMatchObject({ body: 5 });
});

test("PUT view/texts changes, adds and removes text elements", async () => {
  const app = newApp();
  app.place("a", {
    view: [{ name: "helm", texts: { t1: "a", t2: { text: "b", size: 3 }, t3: { size: 1 }, t4: "d" } }],
  });
  const patch = '{"t1": "A", "t2": "B", "t3": "C", "t4": null, "t5": "new", "none": null, "__proto__": "p"}';
  expect((await app.json("PUT", "/project/a/view/helm/texts", patch))[0]).toBe(200);
  expect(JSON.stringify((JSON.parse(app.file("a")!) as { view: { texts: Json }[] }).view[0]!.texts)).toBe(
    '{"t1":"A","t2":{"text":"B","size":3},"t3":"C","t5":"new","__proto__":"p"}',
  );
});

const allowed =
  "not allowed, allowed are title, icon, group, theme, background, orientation, order, refreshSec, home, locked";

test.each<[string, Json, string]>([
  ["tags", { tags: "x" }, "invalid tags: expected array"],
  ["tags", "5", "body must be an array"],
  ["tags", [1], "invalid 0: expected string"],
  ["enabled", 1, "body must be a boolean"],
  ["enabled", '"true"', "body must be a boolean"],
  ["enabled", { enabled: 0 }, "invalid enabled: expected boolean"],
  ["texts", "5", "body must be an object or an array"],
  ["texts", [{ text: "x" }], "invalid 0.id: expected string"],
  ["texts", { t1: 5 }, "invalid t1: expected string, object or null"],
  ["texts", '{"__proto__": 5}', "invalid __proto__: expected string, object or null"],
  ["settings", { colour: "red" }, `invalid colour: ${allowed}`],
  ["settings", '{"__proto__": "x"}', `invalid __proto__: ${allowed}`],
  ["settings", { order: 1.5 }, "invalid order: expected integer"],
  ["settings", { home: "yes" }, "invalid home: expected boolean"],
  ["name", '"a b"', "malformed name"],
  ["name", 5, "body must be a string"],
  ["name", { name: "" }, "malformed name"],
])("PUT view/%s refuses %j", async (part, body, error) => {
  const app = newApp();
  app.place("a", { view: [{ name: "helm" }] });
  expect(await app.json("PUT", `/project/a/view/helm/${part}`, body)).toEqual([400, { error }]);
  expect(app.memory.writes).toBe(0);
});

test("a view cannot take a name that is taken, and no part of a view that is not there can be changed", async () => {
  const app = newApp();
  app.place("a", { view: [{ name: "helm" }, { name: "mast" }] });
  for (const [part, body] of Object.entries({ tags: [], enabled: true, texts: {}, settings: {}, name: '"x"' }))
    expect(await app.json("PUT", `/project/a/view/none/${part}`, body)).toEqual([404, { error: "no such view entry" }]);
  for (const body of [{ tags: "x" }, { tags: [1] }, { enabled: 1 }, { settings: [] }, { texts: "x" }]) {
    expect((await app.json("PUT", "/project/a/view/helm", body))[0]).toBe(400);
  }
});

test.each([
  [undefined, "application/octet-stream"],
  ["x".repeat(256), "application/octet-stream"],
  ["caf\u00e9/x", "application/octet-stream"],
  ["text/plain; charset=utf-8", "text/plain; charset=utf-8"],
])("media of content type %j is stored as %j", async (sent, stored) => {
  const headers: Record<string, string> = sent === undefined ? {} : { "Content-Type": sent };
  const [, entry] = await blank().json("PUT", "/project/a/media/m", new Uint8Array(1), headers);
  expect(entry).toMatchObject({ metadata: { contentType: stored } });
});

test("media written by others: without metadata, with a quoted or an impossible tag, undecodable", async () => {
  const app = newApp();
  const media = [
    { name: "bare", data: "AAE=" },
    { name: "quoted", data: "AAE=", metadata: { etag: '"q"' } },
    { name: "bad-tag", data: "AAE=", metadata: { etag: "a\nb", contentType: "x\ny" } },
    { name: "bad-data", data: "?" },
    { name: "no-data" },
  ];
  app.place("a", { media });
  const bare = await app.request("/project/a/media/bare");
  expect([bare.headers.get("etag"), bare.headers.get("content-type")]).toEqual([null, "application/octet-stream"]);
  expect((await app.request("/project/a/media/quoted")).headers.get("etag")).toBe('"q"');
  const odd = await app.request("/project/a/media/bad-tag");
  expect([odd.headers.get("etag"), odd.headers.get("content-type")]).toEqual([null, "application/octet-stream"]);
  for (const name of ["bad-data", "no-data"]) {
    expect(await app.json("GET", `/project/a/media/${name}`)).toEqual([500, { error: "project file is malformed" }]);
  }
});
