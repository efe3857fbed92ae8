import { expect, test } from "vitest";
import { complaintAbout } from "../../../src/core/project/document.ts";
import { type JsonObject, parseBytes } from "../../../src/core/project/json.ts";
import { atNight } from "../../support/size.ts";
import { type App, newApp, secretHash } from "./harness.ts";
import { type AnyRequest, requestsFrom } from "./requests.ts";

/** HUB_SEED repeats a run, HUB_REQUESTS makes it longer. */
const count = Number(process.env.HUB_REQUESTS ?? atNight(2000, 30_000));
const seed = Number(process.env.HUB_SEED ?? Date.now() % 2 ** 32);

function newBoats(): App {
  const app = newApp();
  for (const id of ["a", "b"]) app.place(id, { uid: id, name: id, sensor: [{ name: "x" }], view: [{ name: "x" }] });
  app.place("locked", { uid: "locked", settings: [{ name: "password", hash: secretHash }] });
  app.memory.templates.set("template", Buffer.from('{"uid": "t"}'));
  return app;
}

/** The response to a request as a server passes it, with the raw target. */
async function answerTo(
  app: App,
  { method, target, headers, body }: AnyRequest,
): Promise<{ readonly status: number; readonly body: string }> {
  const init: RequestInit = {
    method,
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => /^[\t\x20-\xff]*$/.test(value))),
    ...(body?.length && { body: body as Uint8Array<ArrayBuffer> }),
  };
  if (/^(?:get|head)$/i.test(method)) delete init.body;
  const response = await app.fetch(new Request("http://127.0.0.1/", init), { target });
  return { status: response.status, body: await response.text() };
}

/** The decoded segments of a path. */
const segmentsOf = (target: string): readonly string[] =>
  target
    .replace(/\?.*$/s, "")
    .slice(1)
    .split("/")
    .map((segment) => {
      try {
        return decodeURIComponent(segment);
      } catch {
        return segment;
      }
    });

/** Every stored byte by a name; texts, so that bytes changed in place would show. */
const stateOf = ({ memory, blobs }: App): ReadonlyMap<string, string> => {
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
  const named = (kind: string, files: ReadonlyMap<string, Uint8Array>): [string, string][] =>
    [...files].map(([id, bytes]) => [`${kind} ${id}`, text(bytes)]);
  return new Map([
    ...named("project", memory.projects),
    ...named("template", memory.templates),
    ...named("bad", memory.bad),
    ...named("blob", blobs),
    ...(memory.deployed === undefined ? [] : ([["deployed", text(memory.deployed)]] as const)),
  ]);
};

/** The names of what a request that was carried out may have changed. */
function addressed({ method, target }: AnyRequest): readonly string[] {
  if (method === "GET") return [];
  const [family, id, action, newId] = segmentsOf(target);
  if (family === "apps") return [`blob ${id}`];
  if (action === "deploy") return ["deployed"];
  if (action === "duplicate") return [`project ${newId}`];
  return [`project ${id}`, ...(action === "rename" ? [`project ${newId}`] : [])];
}

const changesBetween = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name));

test(`${count} generated requests get documented answers and change nothing but what they address`, {
  timeout: 600_000,
}, async () => {
  const next = requestsFrom(seed, secretHash);
  let app = newBoats();
  let before = stateOf(app);
  const statuses = new Set<number>();
  for (let number = 0; number < count; number++) {
    if (number % 200 === 0) {
      app = newBoats();
      before = stateOf(app);
    }
    const request = next();
    const { status, body } = await answerTo(app, request);
    const after = stateOf(app);
    const changes = changesBetween(before, after);
    const isDone = status < 300;
    const where = `seed ${seed}, request ${number}: ${request.method} ${request.target.slice(0, 200)} is ${status} ${String(body).slice(0, 200)}`;
    statuses.add(status);

    if (request.documented !== undefined && !request.documented.includes(status))
      expect.fail(`not documented, ${where}`);
    if (status >= 500 && !/"(step \d+ failed: |project file is malformed)/.test(String(body))) expect.fail(where);
    if (status === 500 && app.log.lines.some(({ level }) => level === "error")) expect.fail(`logged, ${where}`);
    const stray = changes.filter((name) => !isDone || !addressed(request).includes(name));
    if (stray.length > 0) expect.fail(`${stray} changed, ${where}`);
    for (const name of changes) {
      const text = after.get(name);
      if (text === undefined || !name.startsWith("project ")) continue;
      const complaint = complaintAbout(parseBytes(Buffer.from(text, "latin1")) as JsonObject);
      if (complaint !== undefined) expect.fail(`stored ${complaint}, ${where}`);
    }
    before = after;
  }
  // A generator whose requests never get anywhere would find nothing.
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400, 401, 404, 409]));
});
