/** The contract's tables as one, for any server: a row for each call, with its response and the file after it. */
import { expect, test } from "vitest";
import { type Json, type JsonObject, print } from "../../src/core/project/json.ts";
import { plainSections } from "../services/api/contract-sections.ts";

export interface ServiceUnderTest {
  /** Puts a project where the service finds it, as a user with an editor would. */
  place(id: string, content: string): Promise<void>;
  /** The stored text of a project. */
  file(id: string): Promise<string | undefined>;
  /** The deployed text. */
  deployed(): Promise<string | undefined>;
  request(
    method: string,
    path: string,
    body: Uint8Array<ArrayBuffer> | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response>;
}

const logo = "89504e47";
const logoDigest = "0f4636c78f65d3639ece5a064b5ae753e3408614a14fb18ab4d7540d2c248543";
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as unknown as string;

const quiet = { name: "quiet", config: [{ deviceId: 130, parameters: [{ name: "out.1", value: "off" }] }] };
const mode = { name: "out.1", value: "off", base: "on", muxing: "quiet" };
const settled = { name: "out.1", value: "off", muxing: "quiet" };
const dim = { name: "dim", value: 5 };
const horn = { zone: 16, text: "Horn" };
const panel = { deviceId: 130, function: 2, instance: 2, parameters: [mode, dim], legend: [horn] };
const helm = {
  name: "helm",
  tags: ["day"],
  enabled: true,
  settings: { title: "Helm" },
  texts: { t: "Speed" },
  body: [1],
};
const helmInLists = { name: "helm", tags: ["day"], enabled: true, settings: { title: "Helm" } };
const engine = { name: "engine", tags: [], enabled: true, settings: {}, texts: {} };
const thruster = {
  groupId: "thruster",
  rules: [
    { option: "fitted", muxing: ["quiet"] },
    { option: "none", muxing: [] },
  ],
};
const withRules = (...rules: readonly JsonObject[]): JsonObject => ({ ...thruster, rules });
const picture = { name: "logo", metadata: { contentType: "image/png", size: 4, etag: logoDigest } };

/** The project `a` before every call: an entry in every section, and an unknown one. */
const boat = {
  uid: "u",
  name: "Hull 42",
  settings: [{ name: "unit.depth", value: "m" }],
  device: [panel],
  sensor: [{ name: "bilge", unit: "cm" }],
  synapse: { mast: { port: 1 } },
  energy: [{ name: "solar", watts: 400 }],
  muxing: [quiet],
  "button-mapping": [{ name: "horn", key: 3 }],
  media: [{ ...picture, data: "iVBORw==" }],
  view: [helm, engine],
  commissioning: [thruster],
  "of others": [1, { kept: true }],
};
const summary = { id: "a", name: "Hull 42", uid: "u", template: false, protected: false };
const inLists = {
  ...boat,
  media: [picture],
  view: [helmInLists, { name: "engine", tags: [], enabled: true, settings: {} }],
};

/** Bytes as a body or an answer, in hex. */
const bytes = (hex: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(hex, "hex"));

interface Row {
  /** Method and path. */
  readonly call: string;
  /** Sent as JSON, bytes as they are. */
  readonly body?: Json | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  /** 201 for PUT, else 200, where it is left out. */
  readonly status?: number;
  /** Where it is left out, that of DELETE: an empty object. */
  readonly answer?: unknown;
  /** The changed members of the project `a`; without it the file keeps every byte. */
  readonly after?: JsonObject;
  /** Whole files afterwards, for what is about them. */
  readonly files?: Readonly<Record<string, unknown>>;
  readonly deployed?: string;
}

const p = "/project/a";
const panels = (panel: JsonObject): JsonObject => ({ device: [panel] });
const withParameters = (parameters: readonly JsonObject[]): JsonObject => panels({ ...panel, parameters });
const withLegend = (legend: readonly JsonObject[]): JsonObject => panels({ ...panel, legend });
const refused = (call: string, status: number, error: string, body?: Row["body"]): Row => ({
  ...{ call, status, answer: { error } },
  ...(body !== undefined && { body }),
});
const usual = (call: string): number => (call.startsWith("PUT") ? 201 : 200);

const rows: readonly Row[] = [
  { call: "GET /health", answer: { status: "ready" } },
  {
    call: "GET /info",
    answer: { name: "hub-configd", version: "1.0.0", hostname: "boat", features: expect.any(Array) },
  },
  refused("GET /deploy", 404, "nothing deployed"),

  { call: "GET /project", answer: [summary] },
  { call: `GET ${p}`, answer: inLists },
  refused("GET /project/b", 404, "no such project"),
  {
    call: `PUT ${p}`,
    body: { name: "New" },
    answer: { ...summary, name: "New", uid: uuid },
    files: { a: expect.objectContaining({ uid: uuid, name: "New", sensor: [], synapse: {} }) },
  },
  { call: "PUT /project/b", answer: { ...summary, id: "b", name: "b", uid: uuid } },
  { call: `DELETE ${p}`, files: { a: undefined } },
  refused("DELETE /project/b", 404, "no such project"),
  { call: `GET ${p}/backup`, answer: boat },
  {
    call: `PUT ${p}/restore`,
    body: { uid: "v", name: "Old", sensor: [{ name: "x" }] },
    answer: { ...summary, uid: "v", name: "Old" },
    files: { a: { uid: "v", name: "Old", sensor: [{ name: "x" }] } },
  },
  { call: "PUT /project/b/restore", body: boat, answer: { ...summary, id: "b" }, files: { b: boat } },
  refused(`PUT ${p}/restore`, 400, "invalid sensor: expected array", { sensor: 5 }),
  {
    call: `PUT ${p}/deploy`,
    answer: { id: "a", etag: expect.stringMatching(/^[0-9a-f]{64}$/) },
    deployed: print(boat),
  },
  {
    call: `PUT ${p}/duplicate/b`,
    answer: { ...summary, id: "b", uid: uuid, duplicateFrom: "u" },
    files: { b: { ...boat, uid: uuid, duplicateFrom: "u" } },
  },
  {
    call: `PUT ${p}/duplicate/b`,
    body: { name: "B", commissioning: { thruster: "none" } },
    answer: { ...summary, id: "b", name: "B", uid: uuid, duplicateFrom: "u" },
    files: {
      b: expect.objectContaining({
        muxing: [],
        device: [{ ...panel, parameters: [{ name: "out.1", value: "on" }, dim] }],
        commissioning: [{ groupId: "thruster", rules: [{ option: "none", muxing: [] }], selected: "none" }],
      }),
    },
  },
  refused(`PUT ${p}/duplicate/a`, 409, "project already exists"),
  { call: `PUT ${p}/rename/b`, answer: { ...summary, id: "b" }, files: { a: undefined, b: boat } },
  refused(`PUT ${p}/rename/a`, 409, "project already exists"),
  {
    call: `POST ${p}/transaction`,
    body: [
      { url: "/project/other/sensor/x", method: "put", data: { n: 1 } },
      { url: "/x" },
      { url: `${p}/sensor/bilge`, method: "DELETE" },
    ],
    answer: [
      { url: "/project/other/sensor/x", method: "PUT", code: 201 },
      { url: `${p}/sensor/bilge`, method: "DELETE", code: 200 },
    ],
    after: { sensor: [{ name: "x", n: 1 }] },
  },
  refused(`POST ${p}/transaction`, 500, "step 2 failed: 404 no such route", [
    { url: `${p}/sensor/x`, method: "PUT", data: {} },
    { url: `${p}/nothing`, method: "GET" },
  ]),

  { call: `GET ${p}/settings`, answer: boat.settings },
  {
    call: `PUT ${p}/settings/unit.speed`,
    body: { value: "kn" },
    answer: { name: "unit.speed", value: "kn" },
    after: { settings: [...boat.settings, { name: "unit.speed", value: "kn" }] },
  },
  { call: `DELETE ${p}/settings/unit.depth`, after: { settings: [] } },
  refused(`GET ${p}/settings/unit.depth`, 404, "no such route"),

  { call: `GET ${p}/device`, answer: [panel] },
  { call: `GET ${p}/device/130`, answer: panel },
  refused(`GET ${p}/device/131`, 404, "no such device entry"),
  {
    call: `PUT ${p}/device/4095`,
    answer: { deviceId: 4095, function: 63, instance: 63, parameters: [], legend: [] },
    after: { device: [panel, { deviceId: 4095, function: 63, instance: 63, parameters: [], legend: [] }] },
  },
  {
    call: `PUT ${p}/device/130`,
    body: {},
    answer: { ...panel, parameters: [settled], legend: [] },
    after: panels({ ...panel, parameters: [settled], legend: [] }),
  },
  { call: `DELETE ${p}/device/130`, after: { device: [] } },
  { call: `GET ${p}/device/130/parameters`, answer: [mode, dim] },
  {
    call: `PUT ${p}/device/130/parameters`,
    body: [{ name: "new", value: null }],
    answer: [mode, dim, { name: "new", value: null }],
    after: withParameters([mode, dim, { name: "new", value: null }]),
  },
  { call: `DELETE ${p}/device/130/parameters`, body: ["dim", "gone"], answer: [mode], after: withParameters([mode]) },
  {
    call: `PUT ${p}/device/130/parameter/out.1`,
    body: { value: "auto" },
    answer: { ...mode, base: "auto" },
    after: withParameters([{ ...mode, base: "auto" }, dim]),
  },
  { call: `DELETE ${p}/device/130/parameter/dim`, after: withParameters([mode]) },
  { call: `GET ${p}/device/130/legends`, answer: [horn] },
  {
    call: `PUT ${p}/device/130/legends`,
    body: [{ zone: 35, region: "FR", text: "Feux" }],
    answer: [horn, { zone: 35, region: "FR", text: "Feux" }],
    after: withLegend([horn, { zone: 35, region: "FR", text: "Feux" }]),
  },
  { call: `DELETE ${p}/device/130/legends`, body: ["16"], answer: [], after: withLegend([]) },
  { call: `GET ${p}/device/130/legend/16`, answer: horn },
  {
    call: `PUT ${p}/device/130/legend/16.FR`,
    body: { text: "Klaxon" },
    answer: { zone: 16, region: "FR", text: "Klaxon" },
    after: withLegend([horn, { zone: 16, region: "FR", text: "Klaxon" }]),
  },
  { call: `DELETE ${p}/device/130/legend/16`, after: withLegend([]) },

  // A name that comes twice has the last value, at the place of the first.
  {
    call: `PUT ${p}/device/130/parameters`,
    body: [
      { name: "q", value: [1] },
      { name: "dim", value: 1 },
      { name: "q", value: 2 },
    ],
    answer: [mode, { name: "dim", value: 1 }, { name: "q", value: 2 }],
    after: withParameters([mode, { name: "dim", value: 1 }, { name: "q", value: 2 }]),
  },
  {
    call: `PUT ${p}/device/130/legends`,
    body: [
      { zone: 17, text: "Bow" },
      { zone: 16, text: "New" },
    ],
    answer: [
      { zone: 16, text: "New" },
      { zone: 17, text: "Bow" },
    ],
    after: panels({
      ...panel,
      legend: [
        { zone: 16, text: "New" },
        { zone: 17, text: "Bow" },
      ],
    }),
  },
  // What the path says is not asked of the body.
  {
    call: `PUT ${p}/device/130/parameter/out.2.mode`,
    body: { name: "x", value: 13, extra: true },
    answer: { name: "out.2.mode", value: 13, extra: true },
    after: withParameters([mode, dim, { name: "out.2.mode", value: 13, extra: true }]),
  },
  {
    call: `PUT ${p}/device/130/legend/16`,
    body: { text: "Nav", zone: 20, region: "X", size: 2 },
    answer: { zone: 16, text: "Nav", size: 2 },
    after: withLegend([{ zone: 16, text: "Nav", size: 2 }]),
  },
  {
    call: `PUT ${p}/commissioning/thruster`,
    body: { groupId: "other", note: 1 },
    answer: { groupId: "thruster", note: 1, rules: [] },
    after: { commissioning: [{ groupId: "thruster", note: 1, rules: [] }] },
  },
  ...[
    ...["DELETE device/131", "GET device/131/parameters", "GET device/131/legends", "DELETE device/131/legend/16"],
    ...["DELETE device/131/parameter/dim", "GET muxing/gone", "DELETE muxing/gone", "DELETE settings/gone"],
    ...["GET commissioning/gone", "DELETE commissioning/gone", "DELETE commissioning/gone/rules/0", "GET synapse/gone"],
    ...["DELETE synapse/gone", "GET media/gone", "DELETE media/gone", "GET view/gone", "DELETE view/gone"],
  ].map((call): Row => {
    const section = /\w+/.exec(call.split(" ")[1]!)![0];
    return refused(call.replace(" ", ` ${p}/`), 404, `no such ${section} entry`);
  }),
  refused(`DELETE ${p}/device/130/parameter/gone`, 404, "no such parameter"),
  refused(`GET ${p}/device/130/legend/16.FR`, 404, "no such legend"),
  refused(`DELETE ${p}/device/130/legend/17`, 404, "no such legend"),
  refused(`PUT ${p}/commissioning/gone/rules`, 404, "no such commissioning entry", {}),
  refused(`PUT ${p}/device/131/parameter/dim`, 404, "no such device entry", { value: 1 }),
  refused(`PUT ${p}/device/131/parameters`, 404, "no such device entry", []),

  ...plainSections.flatMap((section): readonly Row[] => {
    const before = ((boat as JsonObject)[section] ?? []) as readonly JsonObject[];
    const entry = { name: "new", any: [1, { n: null }] };
    return [
      { call: `GET ${p}/${section}`, answer: before },
      refused(`GET ${p}/${section}/gone`, 404, `no such ${section} entry`),
      {
        call: `PUT ${p}/${section}/new`,
        body: { ...entry, name: "other" },
        answer: entry,
        after: { [section]: [...before, entry] },
      },
      refused(`DELETE ${p}/${section}/gone`, 404, `no such ${section} entry`),
      ...before.flatMap((known): readonly Row[] => [
        { call: `GET ${p}/${section}/${known.name}`, answer: known },
        {
          call: `PUT ${p}/${section}/${known.name}`,
          body: { odd: [null] },
          answer: { name: known.name, odd: [null] },
          after: { [section]: [{ name: known.name!, odd: [null] }] },
        },
        { call: `DELETE ${p}/${section}/${known.name}`, after: { [section]: [] } },
      ]),
    ];
  }),

  { call: `GET ${p}/synapse`, answer: boat.synapse },
  { call: `GET ${p}/synapse/mast`, answer: { port: 1 } },
  {
    call: `PUT ${p}/synapse/bow`,
    body: { port: 2 },
    answer: { port: 2 },
    after: { synapse: { mast: { port: 1 }, bow: { port: 2 } } },
  },
  { call: `DELETE ${p}/synapse/mast`, after: { synapse: {} } },

  { call: `GET ${p}/muxing`, answer: [quiet] },
  { call: `GET ${p}/muxing/quiet`, answer: quiet },
  {
    call: `PUT ${p}/muxing/quiet`,
    body: { note: "nothing any more" },
    answer: { name: "quiet", note: "nothing any more" },
    after: {
      muxing: [{ name: "quiet", note: "nothing any more" }],
      device: [{ ...panel, parameters: [{ name: "out.1", value: "on" }, dim] }],
    },
  },
  {
    call: `PUT ${p}/muxing/dark`,
    body: { config: [{ deviceId: 130, parameters: [{ name: "dim", value: 0 }] }] },
    answer: { name: "dark", config: [{ deviceId: 130, parameters: [{ name: "dim", value: 0 }] }] },
    after: {
      muxing: [quiet, { name: "dark", config: [{ deviceId: 130, parameters: [{ name: "dim", value: 0 }] }] }],
      device: [{ ...panel, parameters: [mode, { name: "dim", value: 0, base: 5, muxing: "dark" }] }],
    },
  },
  {
    call: `DELETE ${p}/muxing/quiet`,
    after: {
      muxing: [],
      device: [{ ...panel, parameters: [{ name: "out.1", value: "on" }, dim] }],
      commissioning: [{ groupId: "thruster", rules: [{ option: "none", muxing: [] }] }],
    },
  },

  { call: `GET ${p}/media`, answer: [picture] },
  { call: `GET ${p}/media/logo`, answer: bytes(logo) },
  { call: `GET ${p}/media/logo`, headers: { "If-None-Match": `"${logoDigest}"` }, status: 304, answer: bytes("") },
  {
    call: `PUT ${p}/media/logo`,
    body: bytes("00ff"),
    headers: { "Content-Type": "image/webp" },
    answer: { name: "logo", metadata: { contentType: "image/webp", size: 2, etag: expect.any(String) } },
    files: { a: expect.objectContaining({ media: [expect.objectContaining({ data: "AP8=" })] }) },
  },
  { call: `DELETE ${p}/media/logo`, after: { media: [] } },

  { call: `GET ${p}/view`, answer: inLists.view },
  { call: `GET ${p}/view/helm`, answer: helm },
  {
    call: `PUT ${p}/view/engine`,
    body: { body: "x", more: 1 },
    answer: { name: "engine", tags: [], enabled: true, settings: {} },
    after: { view: [helm, { ...engine, body: "x", more: 1 }] },
  },
  { call: `DELETE ${p}/view/helm`, after: { view: [engine] } },
  ...(
    [
      ["tags", ["night", "night"], { tags: ["night"] }],
      ["enabled", false, { enabled: false }],
      ["settings", { title: null, order: 2 }, { settings: { order: 2 } }],
      ["name", "bridge", { name: "bridge" }],
    ] satisfies readonly (readonly [string, Json, JsonObject])[]
  ).map(
    ([part, body, change]): Row => ({
      call: `PUT ${p}/view/helm/${part}`,
      body,
      status: 200,
      answer: { ...helmInLists, ...change },
      after: { view: [{ ...helm, ...change }, engine] },
    }),
  ),
  {
    call: `PUT ${p}/view/helm/texts`,
    body: { t: "Course" },
    status: 200,
    answer: helmInLists,
    after: { view: [{ ...helm, texts: { t: "Course" } }, engine] },
  },
  refused(`PUT ${p}/view/helm/name`, 409, "view already exists", "engine"),

  { call: `GET ${p}/commissioning`, answer: [thruster] },
  { call: `GET ${p}/commissioning/thruster`, answer: thruster },
  {
    call: `PUT ${p}/commissioning/heating`,
    body: {},
    answer: { groupId: "heating", rules: [] },
    after: { commissioning: [thruster, { groupId: "heating", rules: [] }] },
  },
  { call: `DELETE ${p}/commissioning/thruster`, after: { commissioning: [] } },
  {
    call: `PUT ${p}/commissioning/thruster/rules`,
    body: { option: "later", muxing: ["unknown"] },
    answer: withRules(...thruster.rules, { option: "later", muxing: ["unknown"] }),
    after: { commissioning: [withRules(...thruster.rules, { option: "later", muxing: ["unknown"] })] },
  },
  {
    call: `DELETE ${p}/commissioning/thruster/rules/0`,
    status: 201,
    answer: withRules({ option: "none", muxing: [] }),
    after: { commissioning: [withRules({ option: "none", muxing: [] })] },
  },
  refused(`DELETE ${p}/commissioning/thruster/rules/2`, 400, "malformed index"),

  ...["4096", "-1", "57abc", "+57", "12345678901234567890"].map((id) =>
    refused(`PUT ${p}/device/${id}`, 400, "malformed device id", {}),
  ),
  refused(`PUT ${p}/device/130/legend/36`, 400, "malformed zone", { text: "" }),
  refused(`PUT /project/${"a".repeat(64)}/sensor/x`, 400, "malformed project id", {}),
  refused(`PUT ${p}/sensor/a.b`, 400, "malformed name", {}),
  refused(`PUT ${p}/sensor/x`, 400, "body must be an object", []),
  refused(`PUT ${p}/sensor/x`, 400, "body is not valid JSON", bytes("7b")),
  refused(`PUT ${p}/sensor/x`, 400, "missing body"),

  // Any object is an entry; what is stored is taken back.
  {
    call: `PUT ${p}/device/130/parameter/bare`,
    body: { unit: "V", base: 1 },
    answer: { name: "bare", unit: "V", base: 1 },
    after: withParameters([mode, dim, { name: "bare", unit: "V", base: 1 }]),
  },
  {
    call: `PUT ${p}/device/130/legends`,
    body: [{ zone: "17", label: "Bow" }],
    answer: [horn, { zone: 17, label: "Bow" }],
    after: withLegend([horn, { zone: 17, label: "Bow" }]),
  },
  { call: `DELETE ${p}/device/130/legends`, body: [16], answer: [], after: withLegend([]) },
  {
    call: `PUT ${p}/commissioning/thruster/rules`,
    body: { option: "later" },
    answer: withRules(...thruster.rules, { option: "later" }),
    after: { commissioning: [withRules(...thruster.rules, { option: "later" })] },
  },
  {
    call: `PUT ${p}/muxing/odd`,
    body: { config: { any: 1 } },
    answer: { name: "odd", config: { any: 1 } },
    after: { muxing: [quiet, { name: "odd", config: { any: 1 } }] },
  },
  {
    call: `PUT ${p}/view/helm/texts`,
    body: { texts: { t: { text: "Depth", size: 3 } } },
    status: 200,
    answer: helmInLists,
    after: { view: [{ ...helm, texts: { t: { text: "Depth", size: 3 } } }, engine] },
  },
  {
    call: `PUT ${p}/view/helm/settings`,
    body: { settings: { title: null, order: 2 } },
    status: 200,
    answer: { ...helmInLists, settings: { order: 2 } },
    after: { view: [{ ...helm, settings: { order: 2 } }, engine] },
  },
  {
    call: `PUT ${p}/settings/password`,
    body: { hash: "0".repeat(64), salt: "x" },
    answer: { name: "password", hash: "0".repeat(64), salt: "x" },
    after: {
      settings: [
        { name: "unit.depth", value: "m" },
        { name: "password", hash: "0".repeat(64), salt: "x" },
      ],
    },
  },
  {
    call: `PUT ${p}/duplicate/c`,
    body: { name: null, commissioning: null },
    answer: { ...summary, id: "c", uid: uuid, duplicateFrom: "u" },
  },

  // Numbers in paths are canonical.
  ...["05", "00000000000000000005", "007"].map((id) => refused(`PUT ${p}/device/${id}`, 400, "malformed device id")),
  refused(`GET ${p}/device/130/legend/016`, 400, "malformed zone"),
  refused(`DELETE ${p}/commissioning/thruster/rules/00`, 400, "malformed index"),
  refused(`PUT ${p}/nothing/x`, 404, "no such route", {}),
];

const encode = (body: Json | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  body instanceof Uint8Array ? body : new TextEncoder().encode(print(body));

async function contentOf(response: Response, expected: unknown): Promise<unknown> {
  if (expected instanceof Uint8Array) return new Uint8Array(await response.arrayBuffer());
  return JSON.parse(await response.text());
}

export function serviceContract(name: string, open: () => Promise<ServiceUnderTest>): void {
  test.each(rows.map((row) => [row.call, row.status ?? usual(row.call), row] as const))(
    `${name}: %s answers %i, and the files are as the contract says`,
    async (call, status, { body, headers = {}, answer = {}, after, files = {}, deployed }) => {
      const service = await open();
      const before = print(boat);
      await service.place("a", before);
      const [method, path] = call.split(" ");
      const sent = body === undefined ? undefined : encode(body);
      const response = await service.request(method!, path!, sent, headers);
      expect(response.status).toBe(status);
      expect(await contentOf(response, answer)).toEqual(answer);
      if (!Object.hasOwn(files, "a")) expect(await service.file("a")).toBe(print({ ...boat, ...after }));
      for (const [id, content] of Object.entries(files)) {
        const text = await service.file(id);
        expect(text && JSON.parse(text)).toEqual(content);
      }
      expect(await service.deployed()).toBe(deployed);
    },
  );

  test(`${name}: the deployed bytes are handed out with their digest, and 304 to who has them`, async () => {
    const service = await open();
    await service.place("a", print(boat));
    const answer = await service.request("PUT", "/project/a/deploy", undefined, {});
    const { etag } = (await answer.json()) as { etag: string };
    const whole = await service.request("GET", "/deploy", undefined, {});
    expect([whole.headers.get("etag"), whole.headers.get("cache-control")]).toEqual([
      `"${etag}"`,
      "max-age=0, no-cache",
    ]);
    expect(await whole.text()).toBe(print(boat));
    const cached = await service.request("GET", "/deploy", undefined, { "If-None-Match": `"${etag}"` });
    expect([cached.status, await cached.text()]).toEqual([304, ""]);
  });

  test(`${name}: applications' bytes are listed, read, replaced and deleted`, async () => {
    const service = await open();
    const call = async (method: string, path: string, body?: Uint8Array<ArrayBuffer>): Promise<[number, string]> => {
      const response = await service.request(method, path, body, {});
      return [response.status, Buffer.from(await response.arrayBuffer()).toString("latin1")];
    };
    expect(await call("GET", "/apps")).toEqual([200, print([])]);
    expect(await call("PUT", "/apps/charts", bytes("00ff0d0a"))).toEqual([201, print({ id: "charts", size: 4 })]);
    expect(await call("GET", "/apps/charts")).toEqual([200, "\x00\xff\r\n"]);
    expect(await call("GET", "/apps")).toEqual([200, print(["charts"])]);
    expect(await call("DELETE", "/apps/charts")).toEqual([200, print({})]);
    expect(await call("DELETE", "/apps/charts")).toEqual([404, print({ error: "no such application" })]);
    expect(await call("GET", "/apps/charts")).toEqual([404, print({ error: "no such application" })]);
  });

  test(`${name}: the password on disk is asked for, whatever the scheme is called`, async () => {
    const service = await open();
    const hash = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";
    const guarded = print({ ...boat, settings: [{ name: "password", hash }] });
    await service.place("a", guarded);
    const calls = ["GET /project/a", "PUT /project/a", "PUT /project/a/restore", "DELETE /project/a"] as const;
    const ask = (call: string, headers: Readonly<Record<string, string>>): Promise<Response> => {
      const [method, path] = call.split(" ");
      return service.request(method!, path!, method === "PUT" ? encode({ name: "b" }) : undefined, headers);
    };
    for (const call of calls) {
      for (const headers of [{}, { Authorization: `Bearer ${hash.toUpperCase()}` }, { Authorization: hash }]) {
        const response = await ask(call, headers);
        expect([response.status, await response.json()]).toEqual([401, { error: "password required" }]);
      }
    }
    expect(await service.file("a")).toBe(guarded);
    for (const call of calls) {
      await service.place("a", guarded);
      const response = await ask(call, { Authorization: `Anything ${hash}` });
      await response.arrayBuffer();
      expect(response.ok, call).toBe(true);
    }
  });
}
