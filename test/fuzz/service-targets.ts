/**
 * The configuration service: requests with any target, headers and body, and project files that were edited by hand.
 */
import { complaintAbout } from "../../src/core/project/document.ts";
import { equal, type JsonObject, parseBytes, printPieces } from "../../src/core/project/json.ts";
import { type App, newApp, secretHash } from "../services/api/harness.ts";
import { check, type Target, text, told } from "./target.ts";

const statuses = new Set([200, 201, 304, 400, 401, 404, 409, 500]);

/** Checks the rules that hold for every response. */
async function checkResponse(response: Response, app: App): Promise<void> {
  const { status, headers } = response;
  const body = new Uint8Array(await response.arrayBuffer());
  check(statuses.has(status), `a status ${status}`);
  const isDeployed = headers.get("cache-control") === "max-age=0, no-cache";
  if (/json/.test(headers.get("content-type") ?? "") && body.length > 0 && !isDeployed) parseBytes(body);
  const isExpected =
    status !== 500 || /"(step \d+ failed: |project file is malformed)/.test(Buffer.from(body).toString("latin1"));
  check(isExpected, () => `500: ${Buffer.from(body).toString("latin1")}`);
  check(!app.log.lines.some(({ level }) => level === "error"), () => told(app.log.lines));
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Sends a request; a method and headers that no server would pass on are replaced by plain ones. */
async function ask(
  app: App,
  method: string,
  target: string,
  body: Uint8Array,
  headers: ReadonlyMap<string, string> = new Map(),
): Promise<Response> {
  const isMethod = token.test(method) && !/^(?:connect|trace|track)$/i.test(method);
  const sent = [...headers].filter(([name, value]) => token.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value));
  const init = {
    method: isMethod ? method : "GET",
    headers: sent,
    ...(isMethod && !/^(?:get|head)$/i.test(method) && { body: body as Uint8Array<ArrayBuffer> }),
  };
  return app.fetch(new Request("http://127.0.0.1/", init), { target });
}

/** Every stored file has a name that the contract allows, and is a project. */
function checkStored(app: App, placed: ReadonlySet<string> = new Set()): void {
  for (const [id, bytes] of app.memory.projects) {
    check(/^[a-zA-Z0-9-]{1,63}$/.test(id), `a project ${JSON.stringify(id)}`);
    if (placed.has(id)) continue;
    const complaint = complaintAbout(parseBytes(bytes) as JsonObject);
    check(complaint === undefined, `stored ${complaint}`);
  }
  for (const id of app.blobs.keys()) check(/^[a-zA-Z0-9-]+$/.test(id), `an application ${JSON.stringify(id)}`);
}

/** All inputs share one service, because making it takes longer than most inputs; its stores are emptied for each. */
let service: App | undefined;

function emptyService(): App {
  service ??= newApp();
  service.memory.projects.clear();
  service.memory.bad.clear();
  service.blobs.clear();
  service.memory.deployed = undefined;
  service.log.clear();
  return service;
}

/** Requests in a text: a line of method, target and headers, a line of the body's length, the body. */
const requestSeed = (...requests: readonly (readonly [head: string, body?: string])[]): Uint8Array =>
  text(requests.map(([head, body = ""]) => `${head}\n${body}\n\u0000`).join(""));

const requests: Target = {
  name: "requests",
  seeds: [
    requestSeed(["PUT /project/a", '{"name": "x"}'], ["GET /project/a"], ["DELETE /project/a"]),
    requestSeed(["PUT /project/a/sensor/x", '{"a": 1}'], ["GET /project/a/sensor"], ["DELETE /project/a/sensor/x"]),
    requestSeed(["PUT /project/a/settings/password", `{"hash": "${secretHash}"}`], ["GET /project/a"]),
    requestSeed([`GET /project/locked authorization=Bearer ${secretHash}`], ["GET /project/locked authorization=x y"]),
    requestSeed(["PUT /project/a/device/130"], ["PUT /project/a/device/130/parameters", '[{"name": "x", "value": 1}]']),
    requestSeed(["PUT /project/a/device/130/legend/16.FR", '{"labels": ["x"]}'], ["GET /project/a/device/130/legend"]),
    requestSeed(["PUT /project/a/media/x content-type=image/png", "bytes"], ["GET /project/a/media/x if-none-match=*"]),
    requestSeed(["PUT /project/a/view/x", '{"tags": ["x"]}'], ["PUT /project/a/view/x/name", '{"name": "y"}']),
    requestSeed(
      ["PUT /project/a/muxing/m", '{"devices": []}'],
      ["PUT /project/a/commissioning/1", '{"rules": [{"muxing": "m"}]}'],
    ),
    requestSeed(["PUT /project/a/commissioning/1/rules", "{}"], ["DELETE /project/a/commissioning/1/rules/0"]),
    requestSeed([
      "POST /project/a/transaction",
      '[{"url": "/project/b/sensor/z", "method": "put", "data": {"n": 12345678901234567890}}, {"url": "x", "method": "GET"}]',
    ]),
    requestSeed(
      ["PUT /project/a/duplicate/c", '{"commissioning": []}'],
      ["PUT /project/a/rename/d"],
      ["PUT /project/d/deploy"],
    ),
    requestSeed(
      ["PUT /project/a/restore", '{"uid": "u", "view": [{"name": "x", "texts": []}]}'],
      ["GET /project/a/backup"],
    ),
    requestSeed(
      ["PUT /apps/x", "bytes"],
      ["GET /apps"],
      ["GET /apps/x"],
      ["DELETE /apps/x"],
      ['GET /deploy if-none-match="x"'],
    ),
    requestSeed(["GET /../%2e%2e/etc/passwd"], ["GET //project//a"], ["PUT /project/a%2f..%2fb", "{}"]),
  ],
  async run(bytes) {
    const app = emptyService();
    app.place("a", { uid: "a", name: "a", sensor: [{ name: "x" }], view: [{ name: "x" }], device: [{ id: 130 }] });
    app.place("locked", { uid: "locked", settings: [{ name: "password", hash: secretHash }] });
    const locked = app.file("locked");
    const input = Buffer.from(bytes).toString("latin1");
    let isKnown = false;
    for (const request of input.split("\u0000").slice(0, 8)) {
      const [head = "", ...rest] = request.split("\n");
      const body = Buffer.from(rest.join("\n").trimEnd(), "latin1");
      const [method = "GET", target = "/", ...words] = head.split(" ");
      const headers = new Map<string, string>();
      let name = "";
      for (const word of words) {
        const [key, value] = word.split(/=(.*)/s);
        if (value === undefined) headers.set(name, `${headers.get(name) ?? ""} ${word}`);
        else {
          name = key!.toLowerCase();
          headers.set(name, value);
        }
      }
      isKnown ||= [...headers.values()].some((value) => value.includes(secretHash));
      await checkResponse(await ask(app, method, target, body, headers), app);
      checkStored(app);
      // A protected project changes only by requests with its password.
      check(isKnown || app.file("locked") === locked, "a locked project has changed");
    }
  },
};

const project = (content: string): Uint8Array => text(content);

const projectFiles: Target = {
  name: "project files",
  seeds: [
    project('{"uid": "u", "name": "n", "device": [{"id": 130, "parameters": [{"name": "x"}], "legend": []}]}'),
    project(
      '{"muxing": [{"name": "m", "devices": [{"id": 1}]}], "commissioning": [{"groupId": "1", "rules": [{"muxing": "m"}]}]}',
    ),
    project('{"media": [{"name": "x", "data": "AP8=", "metadata": {"etag": "\\"x\\"", "contentType": "image/png"}}]}'),
    project(
      '{"view": [{"name": "x", "texts": [{"id": 1, "text": "a"}], "settings": {}, "tags": [], "enabled": true}]}',
    ),
    project('{"settings": [{"name": "password", "hash": "x"}], "synapse": {"1": {}}, "big": 123456789012345678901}'),
    project('{"__proto__": {"a": 1}, "constructor": {"prototype": 2}, "sensor": [{"name": "__proto__"}]}'),
    project("\ufeff{}"),
  ],
  async run(bytes) {
    // A document that is read, printed and read again stays the same.
    let value: ReturnType<typeof parseBytes> | undefined;
    try {
      value = parseBytes(bytes);
    } catch (error) {
      check(error instanceof SyntaxError, `not a SyntaxError: ${String(error)}`);
    }
    if (value !== undefined)
      check(equal(parseBytes(Buffer.concat(printPieces(value))), value), "printed and read it differs");

    const app = emptyService();
    const before = Uint8Array.from(bytes);
    app.memory.projects.set("a", before);
    for (const [method, path, body] of [
      ["GET", "/project"],
      ["GET", "/project/a"],
      ["GET", "/project/a/backup"],
      ["GET", "/project/a/device"],
      ["GET", "/project/a/device/130"],
      ["GET", "/project/a/device/130/legend"],
      ["GET", "/project/a/media/x"],
      ["GET", "/project/a/view/x"],
      ["GET", "/project/a/commissioning/1"],
      ["PUT", "/project/a/duplicate/b"],
      ["PUT", "/project/a/deploy"],
      ["GET", "/deploy"],
      ["PUT", "/project/a/muxing/m", '{"x": 1}'],
      ["PUT", "/project/a/view/x/texts", '[{"id": 1, "text": "b"}]'],
      ["PUT", "/project/a/device/130", undefined],
      ["DELETE", "/project/a/muxing/m"],
      ["DELETE", "/project/a/commissioning/1"],
    ] as const) {
      await checkResponse(await ask(app, method, path, Buffer.from(body ?? "")), app);
      if (method === "GET") check(app.memory.projects.get("a") === before, `${path} has changed the project`);
      checkStored(app, new Set(["a"]));
    }
  },
};

export const serviceTargets: readonly Target[] = [requests, projectFiles];
