import { expect, test } from "vitest";
import type { ProjectStore } from "../../../src/core/ports/project-store.ts";
import { SystemError } from "../../../src/core/ports/system-error.ts";
import type { JsonObject } from "../../../src/core/project/json.ts";
import { memoryProjectStore, memoryProjects } from "../../support/memory/project-store.ts";
import { type App, newApp, secretHash, withSecret } from "./harness.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const guarded = { uid: "u", name: "Guarded", settings: [{ name: "password", hash: secretHash }], sensor: [] };

test.each([
  [[], "body must be an object"],
  ['"x"', "body must be an object"],
  [null, "body must be an object"],
  [{ name: 5 }, "invalid name: expected string"],
])("PUT /project refuses the body %j and leaves the project as it is", async (body, error) => {
  const app = newApp();
  app.place("a", { uid: "u", name: "A" });
  const before = app.file("a");
  expect(await app.json("PUT", "/project/a", body)).toEqual([400, { error }]);
  expect(app.file("a")).toBe(before);
});

test("GET /project lists projects and templates by id, and no more of them than a chooser needs", async () => {
  const app = newApp();
  expect(await app.json("GET", "/project")).toEqual([200, []]);
  app.place("b", guarded);
  app.place("a", { settings: [] });
  app.place("broken", "{");
  app.place("number", "5");
  app.memory.templates.set("t", new TextEncoder().encode('{"uid":"x","name":"T","duplicateFrom":"y"}'));
  app.memory.templates.set("b", new TextEncoder().encode('{"name":"hidden"}'));
  expect(await app.json("GET", "/project")).toEqual([
    200,
    [
      { id: "a", name: "a", uid: null, template: false, protected: false },
      { id: "b", name: "Guarded", uid: "u", template: false, protected: true },
      { id: "broken", name: "broken", uid: null, template: false, protected: false, invalid: true },
      { id: "number", name: "number", uid: null, template: false, protected: false, invalid: true },
      { id: "t", name: "T", uid: "x", template: true, protected: false, duplicateFrom: "y" },
    ],
  ]);
});

test.each([{}, { foo: 1 }, { __proto__: null, sensors: [] }])(
  "restore refuses %j, which is no project",
  async (body) => {
    const app = newApp();
    app.place("a", { uid: "u", sensor: [{ name: "x" }] });
    const error = "no project: it has no name, no uid and no section";
    expect(await app.json("PUT", "/project/a/restore", body)).toEqual([400, { error }]);
    expect((await app.json("GET", "/project/a/sensor/x"))[0]).toBe(200);
  },
);

test("restore fills in a missing uid and name", async () => {
  const app = newApp();
  expect(await app.json("PUT", "/project/a/restore", { sensor: [] })).toEqual([
    201,
    { id: "a", name: "a", uid: expect.stringMatching(uuid), template: false, protected: false },
  ]);
});

test.each([
  [[], "body must be an object"],
  [{ sensor: {} }, "invalid sensor: expected array"],
  [{ sensor: [1] }, "invalid sensor.0: expected object"],
  [{ synapse: [] }, "invalid synapse: expected object"],
  [{ synapse: { a: 1 } }, "invalid synapse.a: expected object"],
  [{ device: [{ deviceId: 1, parameters: {} }] }, "invalid device.0.parameters: expected array"],
  [{ commissioning: [{ groupId: "a", rules: [1] }] }, "invalid commissioning.0.rules.0: expected object"],
  [
    { settings: [{ name: "password", hash: "short" }] },
    "invalid settings.password: expected a hash of 64 lower-case hex digits",
  ],
])("restore refuses %j, which could not be served", async (body, error) => {
  const app = newApp();
  app.place("a", { uid: "u" });
  const before = app.file("a");
  expect(await app.json("PUT", "/project/a/restore", body)).toEqual([400, { error }]);
  expect(app.file("a")).toBe(before);
});

test.each(["{", "[]", '"x"', "", "\u0000", '{"sensor": 5}', '{"settings": {}}', '{"n": 1e999}'])(
  "a file with %j is malformed to every reader, and every replacement keeps its bytes aside",
  async (content) => {
    const app = newApp();
    const malformed = [500, { error: "project file is malformed" }];
    app.place("a", content);
    const before = app.memory.projects.get("a");
    for (const path of ["/project/a", "/project/a/backup", "/project/a/sensor", "/project/a/view/x"]) {
      expect(await app.json("GET", path)).toEqual(malformed);
    }
    expect(await app.json("PUT", "/project/a/sensor/x", {})).toEqual(malformed);
    expect(await app.json("PUT", "/project/a/deploy")).toEqual(malformed);
    expect(await app.json("PUT", "/project/a/duplicate/b")).toEqual(malformed);
    expect(await app.json("PUT", "/project/a/rename/b")).toEqual(malformed);
    expect(await app.json("POST", "/project/a/transaction", [])).toEqual(malformed);
    expect(app.memory.projects.get("a")).toBe(before);

    expect(await app.json("DELETE", "/project/a")).toEqual([200, {}]);
    expect(app.memory.bad.get("a")).toEqual(before);
    app.place("a", content);
    expect((await app.json("PUT", "/project/a"))[0]).toBe(201);
    expect(app.memory.bad.get("a")).toEqual(before);
    app.place("a", content);
    expect((await app.json("PUT", "/project/a/restore", { name: "A" }))[0]).toBe(201);
    expect((await app.json("GET", "/project/a"))[0]).toBe(200);
  },
);

const unreadable = async (): Promise<never> => {
  throw new SystemError(5, "EIO", "i/o error");
};

const replacements = [
  ["DELETE", "/project/a", 200],
  ["PUT", "/project/a", 201],
  ["PUT", "/project/a/restore", 201],
] as const;

/** An app whose own project or template `a` cannot be read. */
function unreadableApp(of: "projects" | "templates", code: string): App {
  const memory = memoryProjects();
  const store = memoryProjectStore(memory);
  memory[of].set("a", new TextEncoder().encode("{}"));
  const read: ProjectStore["read"] = async (id) => {
    const isBroken = memory[of].has(id) && (of === "projects" || !memory.projects.has(id));
    if (isBroken && !memory.writes) throw new SystemError(5, code, "i/o error");
    return store.read(id);
  };
  return { ...newApp({ projects: { ...store, read } }), memory };
}

test.each(
  ["EIO", "EACCES", "EPERM", "EFBIG"].flatMap((code) =>
    replacements.map((replacement) => [code, ...replacement] as const),
  ),
)(
  "a file that fails with %s is set aside by %s %s, because no password can be read",
  async (code, method, path, status) => {
    const app = unreadableApp("projects", code);
    expect((await app.json("GET", "/project/a"))[0]).toBe(500);
    expect((await app.json("GET", "/project"))[1]).toMatchObject([{ id: "a", invalid: true }]);
    expect((await app.json(method, path, { name: "A" }))[0]).toBe(status);
    expect(app.memory.bad.get("a")).toEqual(new TextEncoder().encode("{}"));
    expect(app.memory.projects.has("a")).toBe(status === 201);
  },
);

test.each(
  ["EMFILE", "ENFILE", "ENOMEM", "EAGAIN"].flatMap((code) =>
    replacements.map(([method, path]) => [code, method, path]),
  ),
)("%s says nothing about the file, which may have a password: %s %s is refused", async (code, method, path) => {
  const app = unreadableApp("projects", code!);
  expect((await app.json(method!, path!, { name: "A" }))[1]).toMatchObject({ error: "cannot read project", errno: 5 });
  expect([app.memory.writes, app.memory.projects.size]).toEqual([0, 1]);
});

test("a template that cannot be read is hidden by a new project, and cannot be deleted", async () => {
  const app = unreadableApp("templates", "EIO");
  expect(await app.json("DELETE", "/project/a")).toEqual([404, { error: "project is a read-only template" }]);
  expect((await app.json("PUT", "/project/a"))[0]).toBe(201);
  expect([app.memory.bad.size, app.memory.projects.size]).toEqual([0, 1]);
});

test.each([
  ["PUT", "/project/a"],
  ["PUT", "/project/a/restore"],
])("%s %s of a broken project keeps it in its place while the new one cannot be written", async (method, path) => {
  const memory = memoryProjects();
  const app = newApp({ projects: { ...memoryProjectStore(memory), save: unreadable } });
  const broken = new TextEncoder().encode("{");
  memory.projects.set("a", broken);
  expect((await app.json(method!, path!, { name: "A" }))[1]).toMatchObject({
    error: "cannot save project",
    code: "EIO",
  });
  expect([memory.projects.get("a"), memory.bad.get("a")]).toEqual([broken, broken]);
});

test("the password still guards a malformed project while it can be read", async () => {
  const app = newApp();
  app.place("a", { ...guarded, sensor: 5 });
  expect(await app.json("DELETE", "/project/a")).toEqual([401, { error: "password required" }]);
  expect(await app.json("DELETE", "/project/a", undefined, withSecret)).toEqual([200, {}]);
});

test("deploy copies the bytes, answers their digest, and a malformed project leaves what is deployed", async () => {
  const app = newApp();
  const odd = '{"uid":"u",   "name":"A"}';
  app.place("a", odd);
  const etag = Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(odd))).toString("hex");
  expect(await app.json("PUT", "/project/a/deploy")).toEqual([201, { id: "a", etag }]);
  expect(new TextDecoder().decode(app.memory.deployed)).toBe(odd);
  const { writes } = app.memory;
  await app.json("PUT", "/project/a/deploy");
  expect(app.memory.writes).toBe(writes);
  app.place("a", "{");
  expect(await app.json("PUT", "/project/a/deploy")).toEqual([500, { error: "project file is malformed" }]);
  expect(new TextDecoder().decode(app.memory.deployed)).toBe(odd);
  expect(await app.json("PUT", "/project/b/deploy")).toEqual([404, { error: "no such project" }]);
});

test.each<[string, (store: ProjectStore) => Partial<ProjectStore>]>([
  ["bytes", () => ({ deployed: unreadable })],
  ["size", ({ size }) => ({ size: (of) => (of === "deployed" ? unreadable() : size(of)) })],
])("deploy replaces a deployed file whose %s cannot be read", async (_, broken) => {
  const memory = memoryProjects();
  const store = memoryProjectStore(memory);
  const app = newApp({ projects: { ...store, ...broken(store) } });
  memory.projects.set("a", new TextEncoder().encode("{}"));
  memory.deployed = new TextEncoder().encode("{}");
  expect((await app.json("PUT", "/project/a/deploy"))[0]).toBe(201);
  expect(memory.writes).toBe(1);
});

test("GET /deploy sends bytes and validator, and 304 to who has them", async () => {
  const app = newApp();
  expect(await app.json("GET", "/deploy")).toEqual([404, { error: "nothing deployed" }]);
  app.memory.deployed = new TextEncoder().encode("not even JSON");
  const response = await app.request("/deploy");
  const etag = response.headers.get("etag")!;
  expect(etag).toBe(
    `"${Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode("not even JSON"))).toString("hex")}"`,
  );
  expect(response.headers.get("cache-control")).toBe("max-age=0, no-cache");
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(await response.text()).toBe("not even JSON");
  for (const header of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
    const cached = await app.request("/deploy", { headers: { "If-None-Match": header } });
    expect([cached.status, await cached.text(), cached.headers.get("etag")]).toEqual([304, "", etag]);
    expect(cached.headers.get("content-type")).toBeNull();
  }
  for (const header of ['"x"', etag.slice(1, -1), ""]) {
    expect((await app.request("/deploy", { headers: { "If-None-Match": header } })).status).toBe(200);
  }
  for (const content of ["by hand", "x".repeat(100_000), "not even JSON", "not even jSON"]) {
    app.memory.deployed = new TextEncoder().encode(content);
    const digest = Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content))).toString(
      "hex",
    );
    expect((await app.request("/deploy")).headers.get("etag")).toBe(`"${digest}"`);
  }
});

test("duplicate names its source, keeps the password, and takes the id for a name where there is none", async () => {
  const app = newApp();
  app.place("a", { ...guarded, other: 1 });
  const [status, entry] = await app.json("PUT", "/project/a/duplicate/b", undefined, withSecret);
  const { uid } = entry as JsonObject;
  expect(status).toBe(201);
  expect(uid).toMatch(uuid);
  expect(JSON.parse(app.file("b")!)).toEqual({ ...guarded, other: 1, uid, duplicateFrom: "u" });
  app.place("nameless", { sensor: [] });
  const copy = (await app.json("PUT", "/project/nameless/duplicate/d"))[1];
  expect(copy).toMatchObject({ name: "d", duplicateFrom: "nameless" });
  const refused = [400, { error: "invalid name: expected string" }];
  expect(await app.json("PUT", "/project/a/duplicate/e", { name: 1 }, withSecret)).toEqual(refused);
});

const boat = {
  uid: "u",
  name: "A",
  device: [{ deviceId: 1, parameters: [{ name: "p", value: 1, base: 0, muxing: "lock" }] }],
  muxing: [
    { name: "free" },
    { name: "lock", config: [{ deviceId: 1, parameters: [{ name: "p", value: 1 }] }] },
    { name: "shared" },
  ],
  commissioning: [
    {
      groupId: "thruster",
      rules: [
        { option: "fitted", muxing: ["lock", "shared"] },
        { option: "none", muxing: [] },
      ],
    },
    {
      groupId: "other",
      rules: [
        { option: "yes", muxing: ["shared"] },
        { option: "no", muxing: ["free", "gone"] },
      ],
    },
  ],
};

test("an entry that one answer keeps and another removes is removed", async () => {
  const app = newApp();
  app.place("a", boat);
  await app.json("PUT", "/project/a/duplicate/b", { commissioning: { thruster: "fitted", other: "no" } });
  expect((await app.json("GET", "/project/b/muxing"))[1]).toMatchObject([{ name: "free" }, { name: "lock" }]);
});

test.each([
  [{ nobody: "none" }, "invalid commissioning.nobody: no such group"],
  [{ thruster: "maybe" }, "invalid commissioning.thruster: no such option"],
  [{ thruster: 1 }, "invalid commissioning.thruster: expected string"],
  [[], "invalid commissioning: expected object"],
])("duplicate refuses the answers %j and makes no copy", async (commissioning, error) => {
  const app = newApp();
  app.place("a", boat);
  expect(await app.json("PUT", "/project/a/duplicate/b", { commissioning })).toEqual([400, { error }]);
  expect(app.file("b")).toBeUndefined();
});

test("a template can be read, deployed and duplicated, and is shadowed rather than changed", async () => {
  const app = newApp();
  const template = '{"uid":"t","name":"T"}';
  app.memory.templates.set("t", new TextEncoder().encode(template));
  const readOnly = [404, { error: "project is a read-only template" }];
  expect((await app.json("GET", "/project/t"))[0]).toBe(200);
  expect((await app.json("GET", "/project/t/backup"))[1]).toEqual({ uid: "t", name: "T" });
  expect((await app.json("PUT", "/project/t/deploy"))[0]).toBe(201);
  expect((await app.json("PUT", "/project/t/duplicate/a"))[1]).toMatchObject({ duplicateFrom: "t" });
  expect(await app.json("PUT", "/project/t/sensor/x", {})).toEqual(readOnly);
  expect(await app.json("POST", "/project/t/transaction", [])).toEqual(readOnly);
  expect(await app.json("PUT", "/project/t/rename/b")).toEqual(readOnly);
  expect(await app.json("DELETE", "/project/t")).toEqual(readOnly);
  expect(await app.json("PUT", "/project/a/rename/t")).toEqual([409, { error: "project already exists" }]);
  expect(await app.json("PUT", "/project/a/duplicate/t")).toEqual([409, { error: "project already exists" }]);
  expect((await app.json("PUT", "/project/t/restore", { name: "Mine" }))[0]).toBe(201);
  expect((await app.json("GET", "/project/t"))[1]).toMatchObject({ name: "Mine" });
  expect(await app.json("DELETE", "/project/t")).toEqual([200, {}]);
  expect((await app.json("GET", "/project/t"))[1]).toMatchObject({ name: "T" });
  expect((await app.json("PUT", "/project/t"))[1]).toMatchObject({ name: "t", template: false });
});

// Every row is whole: Bun hands a function with more parameters than values a callback.
test.each<[string, string, string, unknown]>([
  ["PUT", "/project/a/sensor/x", "cannot save project", {}],
  ["PUT", "/project/a", "cannot save project", undefined],
  ["PUT", "/project/a/restore", "cannot save project", { name: "A" }],
  ["PUT", "/project/a/duplicate/b", "cannot save project", undefined],
  ["PUT", "/project/a/rename/b", "cannot save project", undefined],
  ["PUT", "/project/a/deploy", "cannot deploy project", undefined],
  ["DELETE", "/project/a", "cannot delete project", undefined],
])("%s %s tells what the system said: %s", async (method, path, error, body) => {
  const app = newApp();
  app.place("a", { uid: "u" });
  app.memory.failure = new SystemError(28, "ENOSPC", "no space left on device");
  const failed = { error, errno: 28, code: "ENOSPC", message: "no space left on device" };
  expect(await app.json(method, path, body as JsonObject | undefined)).toEqual([500, failed]);
  app.memory.failure = new SystemError(122, "EDQUOT", "quota exceeded");
  expect((await app.json(method, path, body as JsonObject | undefined))[1]).toMatchObject({
    errno: 122,
    code: "EDQUOT",
  });
  app.memory.failure = new SystemError(24, "EMFILE", "too many open files");
  expect((await app.json(method, path, body as JsonObject | undefined))[1]).toEqual({
    error,
    errno: 24,
    message: "too many open files",
  });
});

test.each([
  ...["EACCES", "EBUSY", "EDQUOT", "EEXIST", "EFBIG", "EINVAL", "EIO", "EISDIR", "ELOOP", "ENAMETOOLONG", "ENOENT"],
  ...["ENOMEM", "ENOSPC", "ENOTDIR", "EPERM", "EROFS"],
])("a system call that fails with %s is told by this name", async (code) => {
  const app = newApp();
  app.place("a", { uid: "u" });
  app.memory.failure = new SystemError(1, code, "sentence");
  expect(await app.json("PUT", "/project/a/sensor/x", {})).toEqual([
    500,
    { error: "cannot save project", errno: 1, code, message: "sentence" },
  ]);
});

test("a bug in a store is an internal error, logged with its stack, and the service goes on", async () => {
  const app = newApp({
    blobStore: {
      list: () => Promise.reject(new TypeError("a bug")),
      read: async () => undefined,
      write: async () => 0,
      remove: async () => false,
    },
  });
  expect(await app.json("GET", "/apps")).toEqual([500, { error: "internal error" }]);
  expect(app.log.lines.find(({ level }) => level === "error")?.fields.stack).toContain("a bug");
  expect((await app.json("GET", "/health"))[0]).toBe(200);
});
