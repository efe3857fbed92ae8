/** PUT takes back everything that GET shows, also from a restored or hand-made file: the file keeps every byte. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Json, type JsonObject, print } from "../../../src/core/project/json.ts";
import { newApp, secretHash } from "./harness.ts";

/** A project of others: every member that we know in shapes that we do not. */
const foreign: JsonObject = {
  uid: "u",
  name: "Hull 42",
  settings: [
    { note: 1, name: "password", hash: "ABC" },
    { unit: "m", name: "depth" },
  ],
  device: [
    { colour: "red", deviceId: 130 },
    {
      deviceId: 131,
      parameters: [
        { unit: "V", name: "p" },
        { name: "q", base: 2, value: 1 },
        { name: "r", muxing: "somebody's", value: 5 },
        { name: "s", covered: [1], muxing: { x: 1 } },
        { name: "a/b", value: 1 },
        { value: 3 },
        { name: "p", value: "again" },
      ],
      legend: [
        { label: "T" },
        { zone: "17", text: "Horn" },
        { text: "x", zone: 99 },
        { zone: "18.FR" },
        { zone: 16, region: 5 },
      ],
      function: "none",
    },
  ],
  sensor: [{ kind: "x", name: "bilge" }],
  synapse: { mast: { port: 1 } },
  energy: [{ name: "solar", "": null }],
  muxing: [
    { name: "object", config: { any: 1 } },
    { config: [{ deviceId: 4096 }], name: "list" },
    { name: "lights", config: [{ deviceId: 131, parameters: [{ name: "none-yet", value: 1 }] }], more: 1 },
  ],
  "button-mapping": [{ name: "horn", key: 3 }],
  media: [{ name: "logo", data: "AAE=" }],
  view: [
    { name: "bare" },
    { texts: [{ id: "t1", text: "Hi" }, 5], name: "list", tags: "day", enabled: 1, settings: [] },
    { name: "object", texts: { t1: { text: "A", size: 3 }, t2: 7 }, body: { widgets: [] } },
  ],
  commissioning: [
    { groupId: "bare" },
    {
      rules: [{}, { option: 5 }, { option: "a" }, { muxing: "lights" }, { option: "b", muxing: ["x y", 1] }],
      groupId: "odd",
    },
  ],
};

const parts = [
  ...["settings/password", "device/130", "device/131", "device/131/parameters", "device/131/parameter/q"],
  ...["device/131/parameter/r", "device/131/parameter/s", "device/131/legends", "device/131/legend/17"],
  ...["device/131/legend/18.FR", "sensor/bilge", "synapse/mast", "energy/solar", "muxing/object", "muxing/list"],
  ...["button-mapping/horn", "view/bare", "view/list", "view/object", "commissioning/bare", "commissioning/odd"],
];

const withPassword = { Authorization: "Bearer ABC" };

/** The entry of a path in the file, because settings and single parameters have no GET. */
function storedAt(path: string): Json {
  if (path === "settings/password") return (foreign.settings as Json[])[0]!;
  const [, name] = /parameter\/(.*)/.exec(path) ?? [];
  return (((foreign.device as JsonObject[])[1]!.parameters as JsonObject[]).find((entry) => entry.name === name) ??
    null) as Json;
}

test.each(parts)("%s: what is stored is taken back, and the file keeps every byte", async (path) => {
  const app = newApp();
  // Without muxing entries whose rules would be applied to devices with the first change.
  const project = path.startsWith("muxing") ? foreign : { ...foreign, muxing: (foreign.muxing as Json[]).slice(0, 2) };
  app.place("a", project);
  const before = app.file("a");
  const hasNoGet = path.startsWith("settings") || path.includes("/parameter/");
  const got = hasNoGet ? storedAt(path) : (await app.json("GET", `/project/a/${path}`, undefined, withPassword))[1];
  const [status, answer] = await app.json("PUT", `/project/a/${path}`, got, withPassword);
  expect(status, JSON.stringify(answer)).toBe(201);
  expect(app.file("a")?.replace(/,\s*\{\s*"name": "none-yet"[^}]*\}/, "")).toBe(before);
});

test("a restored project is the one that its backup was, and takes a restore of itself", async () => {
  const app = newApp();
  app.place("a", foreign);
  const backup = await (await app.request("/project/a/backup", { headers: withPassword })).text();
  expect(backup).toBe(print(foreign));
  expect((await app.json("PUT", "/project/a/restore", backup, withPassword))[0]).toBe(201);
  expect(app.file("a")).toBe(print(foreign));
});

test("a rule over a parameter with members of its own gives all of them back", async () => {
  const app = newApp();
  app.place("a", foreign);
  const before = app.file("a");
  const config = ["p", "q", "s"].map((name) => ({ deviceId: 131, parameters: [{ name, value: "ruled" }] }));
  await app.json("PUT", "/project/a/muxing/lights", { config }, withPassword);
  const [, ruled] = await app.json("GET", "/project/a/device/131/parameters", undefined, withPassword);
  expect((ruled as JsonObject[]).slice(0, 2).map(({ value }) => value)).toEqual(["ruled", "ruled"]);
  await app.json("DELETE", "/project/a/muxing/lights", undefined, withPassword);
  const without = { ...foreign, muxing: (foreign.muxing as Json[]).slice(0, 2) };
  // The commissioning rule that named nothing else goes with its muxing entry.
  const odd = (foreign.commissioning as JsonObject[])[1]!;
  const rules = (odd.rules as JsonObject[]).filter(({ muxing }) => muxing !== "lights");
  expect(app.file("a")).toBe(
    print({ ...without, commissioning: [(foreign.commissioning as Json[])[0]!, { ...odd, rules }] }),
  );
  expect(before).toContain("lights");
});

test.each<[Json, Json, Json]>([
  [[{ id: "t1", text: "Hi", size: 2 }, 5], { t1: "Ho" }, [{ id: "t1", text: "Ho", size: 2 }, 5]],
  [[{ id: "t1" }], { t1: null, t2: "new" }, [{ id: "t2", text: "new" }]],
  [[{ id: "t1", text: "Hi" }], [{ id: "t1", size: 3 }], [{ id: "t1", text: "Hi", size: 3 }]],
  [
    { t1: "Hi", t2: { text: "x", size: 1 } },
    [
      { id: "t1", text: "Ho" },
      { id: "t2", text: "y" },
    ],
    { t1: "Ho", t2: { text: "y", size: 1 } },
  ],
  [{ t1: { text: "x", size: 1 } }, { t1: { text: "y" } }, { t1: { text: "y", size: 1 } }],
  [{ t1: "x" }, { texts: { t1: "y" } }, { t1: "y" }],
  [{ t1: "x" }, { texts: [{ id: "t1", text: "y" }] }, { t1: "y" }],
  // An element called texts is no wrapping.
  [
    { texts: { q: "x" }, a: "b" },
    { texts: { q: "y" }, a: "c" },
    { texts: { q: "y" }, a: "c" },
  ],
  [{ texts: { q: "x" } }, { texts: { q: "x" } }, { texts: { q: "x" } }],
  // Elements that are sent unchanged stay.
  [
    [{ id: "t1", text: "x" }, { id: 2, v: 1 }, { no: 1 }, 7],
    [{ id: "t1", text: "y" }, { id: 2, v: 1 }, { no: 1 }, 7],
    [{ id: "t1", text: "y" }, { id: 2, v: 1 }, { no: 1 }, 7],
  ],
  [[{ id: 2, v: 1 }], [{ id: 2, v: 9 }], [{ id: 2, v: 9 }]],
  [[{ id: 2, v: 1 }], { 2: { v: 9 } }, [{ id: 2, v: 9 }]],
  [
    { a: "x", five: 5 },
    { a: "y", five: 5 },
    { a: "y", five: 5 },
  ],
])("texts %j patched by %j are %j", async (texts, patch, after) => {
  const app = newApp();
  app.place("a", { view: [{ name: "v", texts }] });
  expect((await app.json("PUT", "/project/a/view/v/texts", patch))[0]).toBe(200);
  expect((await app.json("GET", "/project/a/view/v"))[1]).toMatchObject({ texts: after });
});

test("texts and settings of another kind in the file are no reason for a 500", async () => {
  const app = newApp();
  app.place("a", { view: [{ name: "v", texts: 5, settings: "x" }] });
  expect(await app.json("PUT", "/project/a/view/v/texts", {})).toMatchObject([
    400,
    { error: expect.stringMatching(/^invalid texts: /) },
  ]);
  expect(await app.json("PUT", "/project/a/view/v/settings", { settings: { title: "T" } })).toMatchObject([
    400,
    { error: expect.stringMatching(/^invalid settings: /) },
  ]);
});

test("members called muxing and base belong to the application wherever no rule sets the parameter", async () => {
  const app = newApp();
  const own = [
    { name: "p", value: 3, muxing: "m" },
    { name: "q", base: { x: 1 }, muxing: "m", covered: [1] },
    { name: "r", base: 5, muxing: "m", value: 9, covered: "m" },
  ];
  app.place("a", { uid: "u", device: [{ deviceId: 5, parameters: own }], muxing: [{ name: "m", config: "none" }] });
  const before = app.file("a");
  for (const path of ["muxing/m", "device/5", "device/5/parameters"]) {
    const [, shown] = await app.json("GET", `/project/a/${path}`);
    expect((await app.json("PUT", `/project/a/${path}`, shown))[0]).toBe(201);
    expect(app.file("a")).toBe(before);
  }
  for (const parameter of own) {
    expect((await app.json("PUT", `/project/a/device/5/parameter/${parameter.name}`, parameter))[1]).toEqual(parameter);
  }
  const config = [{ deviceId: 5, parameters: own.map(({ name }) => ({ name, value: "ruled" })) }];
  await app.json("PUT", "/project/a/muxing/m", { config });
  expect((await app.json("GET", "/project/a/device/5/parameters"))[1]).toMatchObject([
    { value: "ruled" },
    { value: "ruled" },
    { value: "ruled" },
  ]);
  await app.json("DELETE", "/project/a/muxing/m");
  expect((await app.json("GET", "/project/a/device/5/parameters"))[1]).toEqual(own);
});

test.each(["parameters", "legends"])("an empty list of %s adds no member to a device without one", async (part) => {
  const app = newApp();
  app.place("a", { device: [{ deviceId: 7 }] });
  const before = app.file("a");
  expect(await app.json("PUT", `/project/a/device/7/${part}`, [])).toEqual([201, []]);
  expect(app.file("a")).toBe(before);
});

test("settings of a view are taken back as they are shown; a member beside the wrapping is not dropped", async () => {
  const app = newApp();
  const settings = { title: "T", foo: 1, settings: { x: 1 } };
  app.place("a", { view: [{ name: "v", settings }] });
  const before = app.file("a");
  for (const body of [settings, { settings }])
    expect((await app.json("PUT", "/project/a/view/v/settings", body))[0]).toBe(200);
  expect((await app.json("PUT", "/project/a/view/v/settings", { title: "U", settings: { title: "V" } }))[0]).toBe(400);
  expect(app.file("a")).toBe(before);
});

/** Bodies of which the lists are so deep that the file would be deeper than can be read again, and a body that fits. */
test.each<[path: string, body: (lists: string) => string]>([
  ["sensor/x", (lists) => `{"a":${lists}}`],
  ["synapse/x", (lists) => `{"a":${lists}}`],
  ["settings/x", (lists) => `{"a":${lists}}`],
  ["commissioning/x", (lists) => `{"a":${lists}}`],
  ["device/64/parameter/p", (lists) => `{"v":${lists}}`],
  ["view/v/texts", (lists) => `{"a":{"q":${lists}}}`],
  ["restore", (lists) => `{"sensor":[{"a":${lists}}]}`],
])("PUT of %s refuses what would make the project too deep to be read again", async (path, body) => {
  const app = newApp();
  app.place("a", { device: [{ deviceId: 64 }], view: [{ name: "v" }] });
  const put = async (depth: number): Promise<unknown> =>
    (await app.json("PUT", `/project/a/${path}`, body(`${"[".repeat(depth)}${"]".repeat(depth)}`)))[1];
  const fits = async (depth: number): Promise<boolean> =>
    !JSON.stringify(await put(depth)).includes("nested too deeply, at most 1000 lists and objects");
  let deepest = 990;
  while (await fits(deepest + 1)) deepest++;
  expect(deepest).toBeLessThan(1000);
  expect((await app.json("GET", "/project/a"))[0]).toBe(200);
  await put(deepest);
  expect((await app.json("GET", "/project/a"))[0]).toBe(200);
});

test("an unchanged device leaves the others as they are, also in a file whose muxing was never applied", async () => {
  const app = newApp();
  const muxing = [{ name: "m", config: [{ deviceId: 64, parameters: [{ name: "p9", value: 1 }] }] }];
  app.place("a", { uid: "u", device: [{ deviceId: 64 }, { deviceId: 65 }], muxing });
  const before = app.file("a");
  for (const id of [64, 65]) expect((await app.json("PUT", `/project/a/device/${id}`, { deviceId: id }))[0]).toBe(201);
  expect(app.file("a")).toBe(before);
});

test("null in place of a section is its absence", async () => {
  const app = newApp();
  const project = { uid: "u", name: "n", sensor: null, synapse: null, device: [{ deviceId: 64, parameters: null }] };
  expect((await app.json("PUT", "/project/a/restore", project))[0]).toBe(201);
  expect(await app.json("GET", "/project/a/backup")).toEqual([200, project]);
  expect(await app.json("GET", "/project/a/sensor")).toEqual([200, []]);
  for (const path of ["sensor/x", "synapse/x", "device/64/parameter/p"])
    expect((await app.json("PUT", `/project/a/${path}`, { value: 1 }))[0]).toBe(201);
});

test("null for a list inside an entry is its absence", async () => {
  const app = newApp();
  await app.json("PUT", "/project/a");
  expect(await app.json("PUT", "/project/a/device/130", { parameters: null, legend: null })).toEqual([
    201,
    { deviceId: 130, function: 2, instance: 2, parameters: [], legend: [] },
  ]);
  expect(await app.json("PUT", "/project/a/commissioning/g", { rules: null })).toEqual([
    201,
    { groupId: "g", rules: [] },
  ]);
});

test.each([{ metadata: null }, { metadata: { contentType: null } }])(
  "null for an optional member of a media step is its absence: %j",
  async (members) => {
    const app = newApp();
    await app.json("PUT", "/project/a");
    const data = { ...members, data: "AAE=" };
    const steps = [{ url: "/project/a/media/m", method: "PUT", data }];
    expect((await app.json("POST", "/project/a/transaction", steps))[0]).toBe(200);
    expect((await app.json("GET", "/project/a/media"))[1]).toMatchObject([
      { name: "m", metadata: { contentType: "application/octet-stream", size: 2 } },
    ]);
  },
);

const json: fc.Arbitrary<Json> = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
const object = fc.dictionary(
  fc.oneof(fc.constantFrom("name", "value", "base", "muxing", "zone", "rules", "__proto__"), fc.string()),
  json,
);

test("any object is an entry of any section, is kept in its order, and is taken back", async () => {
  const paths = [
    ...["sensor/x", "energy/x", "button-mapping/x", "settings/x", "muxing/x", "synapse/x", "device/1/parameter/x"],
  ];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), object, async (path, entry) => {
      const app = newApp();
      app.place("a", { uid: "u", device: [{ deviceId: 1, parameters: [] }] });
      expect((await app.json("PUT", `/project/a/${path}`, print(entry)))[0]).toBe(201);
      const first = app.file("a");
      const [, kept] = await app.json("PUT", `/project/a/${path}`, print(entry));
      expect(app.file("a")).toBe(first);
      expect((await app.json("PUT", `/project/a/${path}`, print(kept)))[0]).toBe(201);
      expect(app.file("a")).toBe(first);
    }),
    { numRuns: 300 },
  );
});

test("a password that was stored in another form is compared as it is stored, and can be replaced", async () => {
  const app = newApp();
  app.place("a", foreign);
  expect((await app.json("GET", "/project/a"))[0]).toBe(401);
  expect((await app.json("PUT", "/project/a/settings/password", { hash: secretHash }, withPassword))[0]).toBe(201);
  expect((await app.json("GET", "/project/a", undefined, withPassword))[0]).toBe(401);
});
