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
  readonly status: number;
  readonly answer: unknown;
  /** The changed members of the project `a`; without it the file keeps every byte. */
  readonly after?: JsonObject;
  /** Whole files afterwards, for what is about them. */
  readonly files?: Readonly<Record<string, unknown>>;
  readonly deployed?: string;
}

const p = "/project/a";
const panels = (panel: JsonObject): JsonObject => ({ device: [panel] });

const rows: readonly Row[] = [
  { call: "GET /health", status: 200, answer: { status: "ready" } },
  {
    call: "GET /info",
    status: 200,
    answer: { name: "hub-configd", version: "1.0.0", hostname: "boat", features: expect.any(Array) },
  },
  { call: "GET /deploy", status: 404, answer: { error: "nothing deployed" } },

  { call: "GET /project", status: 200, answer: [summary] },
  { call: `GET ${p}`, status: 200, answer: inLists },
  { call: "GET /project/b", status: 404, answer: { error: "no such project" } },
  {
    call: `PUT ${p}`,
    body: { name: "New" },
    status: 201,
    answer: { ...summary, name: "New", uid: uuid },
    files: { a: expect.objectContaining({ uid: uuid, name: "New", sensor: [], synapse: {} }) },
  },
  { call: "PUT /project/b", status: 201, answer: { ...summary, id: "b", name: "b", uid: uuid } },
  { call: `DELETE ${p}`, status: 200, answer: {}, files: { a: undefined } },
  { call: "DELETE /project/b", status: 404, answer: { error: "no such project" } },
  { call: `GET ${p}/backup`, status: 200, answer: boat },
  {
    call: `PUT ${p}/restore`,
    body: { uid: "v", name: "Old", sensor: [{ name: "x" }] },
    status: 201,
    answer: { ...summary, uid: "v", name: "Old" },
    files: { a: { uid: "v", name: "Old", sensor: [{ name: "x" }] } },
  },
  { call: "PUT /project/b/restore", body: boat, status: 201, answer: { ...summary, id: "b" }, files: { b: boat } },
  { call: `PUT ${p}/restore`, body: { sensor: 5 }, status: 400, answer: { error: "invalid sensor: expected array" } },
  {
    call: `PUT ${p}/deploy`,
    status: 201,
    answer: { id: "a", etag: expect.stringMatching(/^[0-9a-f]{64}$/) },
    deployed: print(boat),
  },
  {
    call: `PUT ${p}/duplicate/b`,
    status: 201,
    answer: { ...summary, id: "b", uid: uuid, duplicateFrom: "u" },
    files: { b: { ...boat, uid: uuid, duplicateFrom: "u" } },
  },
  {
    call: `PUT ${p}/duplicate/b`,
    body: { name: "B", commissioning: { thruster: "none" } },
    status: 201,
    answer: { ...summary, id: "b", name: "B", uid: uuid, duplicateFrom: "u" },
    files: {
      b: expect.objectContaining({
        muxing: [],
        device: [{ ...panel, parameters: [{ name: "out.1", value: "on" }, dim] }],
        commissioning: [{ groupId: "thruster", rules: [{ option: "none", muxing: [] }], selected: "none" }],
      }),
    },
  },
  { call: `PUT ${p}/duplicate/a`, status: 409, answer: { error: "project already exists" } },
  { call: `PUT ${p}/rename/b`, status: 201, answer: { ...summary, id: "b" }, files: { a: undefined, b: boat } },
  { call: `PUT ${p}/rename/a`, status: 409, answer: { error: "project already exists" } },
  {
    call: `POST ${p}/transaction`,
    body: [
      { url: "/project/other/sensor/x", method: "put", data: { n: 1 } },
      { url: "/x" },
      { url: `${p}/sensor/bilge`, method: "DELETE" },
    ],
    status: 200,
    answer: [
      { url: "/project/other/sensor/x", method: "PUT", code: 201 },
      { url: `${p}/sensor/bilge`, method: "DELETE", code: 200 },
    ],
    after: { sensor: [{ name: "x", n: 1 }] },
  },
  {
    call: `POST ${p}/transaction`,
    body: [
      { url: `${p}/sensor/x`, method: "PUT", data: {} },
      { url: `${p}/nothing`, method: "GET" },
    ],
    status: 500,
    answer: { error: "step 2 failed: 404 no such route" },
  },

  { call: `GET ${p}/settings`, status: 200, answer: boat.settings },
  {
    call: `PUT ${p}/settings/unit.speed`,
    body: { value: "kn" },
    status: 201,
    answer: { name: "unit.speed", value: "kn" },
    after: { settings: [...boat.settings, { name: "unit.speed", value: "kn" }] },
  },
  { call: `DELETE ${p}/settings/unit.depth`, status: 200, answer: {}, after: { settings: [] } },
  { call: `GET ${p}/settings/unit.depth`, status: 404, answer: { error: "no such route" } },

  { call: `GET ${p}/device`, status: 200, answer: [panel] },
  { call: `GET ${p}/device/130`, status: 200, answer: panel },
  { call: `GET ${p}/device/131`, status: 404, answer: { error: "no such device entry" } },
  {
    call: `PUT ${p}/device/4095`,
    status: 201,
    answer: { deviceId: 4095, function: 63, instance: 63, parameters: [], legend: [] },
    after: { device: [panel, { deviceId: 4095, function: 63, instance: 63, parameters: [], legend: [] }] },
  },
  {
    call: `PUT ${p}/device/130`,
    body: {},
    status: 201,
    answer: { ...panel, parameters: [{ name: "out.1", value: "off", muxing: "quiet" }], legend: [] },
    after: panels({ ...panel, parameters: [{ name: "out.1", value: "off", muxing: "quiet" }], legend: [] }),
  },
  { call: `DELETE ${p}/device/130`, status: 200, answer: {}, after: { device: [] } },
  { call: `GET ${p}/device/130/parameters`, status: 200, answer: [mode, dim] },
  {
    call: `PUT ${p}/device/130/parameters`,
    body: [{ name: "new", value: null }],
    status: 201,
    answer: [mode, dim, { name: "new", value: null }],
    after: panels({ ...panel, parameters: [mode, dim, { name: "new", value: null }] }),
  },
  {
    call: `DELETE ${p}/device/130/parameters`,
    body: ["dim", "gone"],
    status: 200,
    answer: [mode],
    after: panels({ ...panel, parameters: [mode] }),
  },
  {
    call: `PUT ${p}/device/130/parameter/out.1`,
    body: { value: "auto" },
    status: 201,
    answer: { ...mode, base: "auto" },
    after: panels({ ...panel, parameters: [{ ...mode, base: "auto" }, dim] }),
  },
  {
    call: `DELETE ${p}/device/130/parameter/dim`,
    status: 200,
    answer: {},
    after: panels({ ...panel, parameters: [mode] }),
  },
  { call: `GET ${p}/device/130/legends`, status: 200, answer: [horn] },
  {
    call: `PUT ${p}/device/130/legends`,
    body: [{ zone: 35, region: "FR", text: "Feux" }],
    status: 201,
    answer: [horn, { zone: 35, region: "FR", text: "Feux" }],
    after: panels({ ...panel, legend: [horn, { zone: 35, region: "FR", text: "Feux" }] }),
  },
  {
    call: `DELETE ${p}/device/130/legends`,
    body: ["16"],
    status: 200,
    answer: [],
    after: panels({ ...panel, legend: [] }),
  },
  { call: `GET ${p}/device/130/legend/16`, status: 200, answer: horn },
  {
    call: `PUT ${p}/device/130/legend/16.FR`,
    body: { text: "Klaxon" },
    status: 201,
    answer: { zone: 16, region: "FR", text: "Klaxon" },
    after: panels({ ...panel, legend: [horn, { zone: 16, region: "FR", text: "Klaxon" }] }),
  },
  { call: `DELETE ${p}/device/130/legend/16`, status: 200, answer: {}, after: panels({ ...panel, legend: [] }) },

  // A name that comes twice has the last value, at the place of the first.
  {
    call: `PUT ${p}/device/130/parameters`,
    body: [
      { name: "q", value: [1] },
      { name: "dim", value: 1 },
      { name: "q", value: 2 },
    ],
    status: 201,
    answer: [mode, { name: "dim", value: 1 }, { name: "q", value: 2 }],
    after: panels({ ...panel, parameters: [mode, { name: "dim", value: 1 }, { name: "q", value: 2 }] }),
  },
  {
    call: `PUT ${p}/device/130/legends`,
    body: [
      { zone: 17, text: "Bow" },
      { zone: 16, text: "New" },
    ],
    status: 201,
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
    status: 201,
    answer: { name: "out.2.mode", value: 13, extra: true },
    after: panels({ ...panel, parameters: [mode, dim, { name: "out.2.mode", value: 13, extra: true }] }),
  },
  {
    call: `PUT ${p}/device/130/legend/16`,
    body: { text: "Nav", zone: 20, region: "X", size: 2 },
    status: 201,
    answer: { zone: 16, text: "Nav", size: 2 },
    after: panels({ ...panel, legend: [{ zone: 16, text: "Nav", size: 2 }] }),
  },
  {
    call: `PUT ${p}/commissioning/thruster`,
    body: { groupId: "other", note: 1 },
    status: 201,
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
    return { call: call.replace(" ", ` ${p}/`), status: 404, answer: { error: `no such ${section} entry` } };
  }),
  { call: `DELETE ${p}/device/130/parameter/gone`, status: 404, answer: { error: "no such parameter" } },
  { call: `GET ${p}/device/130/legend/16.FR`, status: 404, answer: { error: "no such legend" } },
  { call: `DELETE ${p}/device/130/legend/17`, status: 404, answer: { error: "no such legend" } },
  {
    call: `PUT ${p}/commissioning/gone/rules`,
    body: {},
    status: 404,
    answer: { error: "no such commissioning entry" },
  },
  {
    call: `PUT ${p}/device/131/parameter/dim`,
    body: { value: 1 },
    status: 404,
    answer: { error: "no such device entry" },
  },
  { call: `PUT ${p}/device/131/parameters`, body: [], status: 404, answer: { error: "no such device entry" } },

  ...plainSections.flatMap((section): readonly Row[] => {
    const before = ((boat as JsonObject)[section] ?? []) as readonly JsonObject[];
    const entry = { name: "new", any: [1, { n: null }] };
    return [
      { call: `GET ${p}/${section}`, status: 200, answer: before },
      { call: `GET ${p}/${section}/gone`, status: 404, answer: { error: `no such ${section} entry` } },
      {
        call: `PUT ${p}/${section}/new`,
        body: { ...entry, name: "other" },
        status: 201,
        answer: entry,
        after: { [section]: [...before, entry] },
      },
      { call: `DELETE ${p}/${section}/gone`, status: 404, answer: { error: `no such ${section} entry` } },
      ...before.flatMap((known): readonly Row[] => [
        { call: `GET ${p}/${section}/${known.name}`, status: 200, answer: known },
        {
          call: `PUT ${p}/${section}/${known.name}`,
          body: { odd: [null] },
          status: 201,
          answer: { name: known.name, odd: [null] },
          after: { [section]: [{ name: known.name!, odd: [null] }] },
        },
        { call: `DELETE ${p}/${section}/${known.name}`, status: 200, answer: {}, after: { [section]: [] } },
      ]),
    ];
  }),

  { call: `GET ${p}/synapse`, status: 200, answer: boat.synapse },
  { call: `GET ${p}/synapse/mast`, status: 200, answer: { port: 1 } },
  {
    call: `PUT ${p}/synapse/bow`,
    body: { port: 2 },
    status: 201,
    answer: { port: 2 },
    after: { synapse: { mast: { port: 1 }, bow: { port: 2 } } },
  },
  { call: `DELETE ${p}/synapse/mast`, status: 200, answer: {}, after: { synapse: {} } },

  { call: `GET ${p}/muxing`, status: 200, answer: [quiet] },
  { call: `GET ${p}/muxing/quiet`, status: 200, answer: quiet },
  {
    call: `PUT ${p}/muxing/quiet`,
    body: { note: "nothing any more" },
    status: 201,
    answer: { name: "quiet", note: "nothing any more" },
    after: {
      muxing: [{ name: "quiet", note: "nothing any more" }],
      device: [{ ...panel, parameters: [{ name: "out.1", value: "on" }, dim] }],
    },
  },
  {
    call: `PUT ${p}/muxing/dark`,
    body: { config: [{ deviceId: 130, parameters: [{ name: "dim", value: 0 }] }] },
    status: 201,
    answer: { name: "dark", config: [{ deviceId: 130, parameters: [{ name: "dim", value: 0 }] }] },
    after: {
      muxing: [quiet, { name: "dark", config: [{ deviceId: 130, parameters: [{ name: "dim", value: 0 }] }] }],
      device: [{ ...panel, parameters: [mode, { name: "dim", value: 0, base: 5, muxing: "dark" }] }],
    },
  },
  {
    call: `DELETE ${p}/muxing/quiet`,
    status: 200,
    answer: {},
    after: {
      muxing: [],
      device: [{ ...panel, parameters: [{ name: "out.1", value: "on" }, dim] }],
      commissioning: [{ groupId: "thruster", rules: [{ option: "none", muxing: [] }] }],
    },
  },

  { call: `GET ${p}/media`, status: 200, answer: [picture] },
  { call: `GET ${p}/media/logo`, status: 200, answer: bytes(logo) },
  { call: `GET ${p}/media/logo`, headers: { "If-None-Match": `"${logoDigest}"` }, status: 304, answer: bytes("") },
  {
    call: `PUT ${p}/media/logo`,
    body: bytes("00ff"),
    headers: { "Content-Type": "image/webp" },
    status: 201,
    answer: { name: "logo", metadata: { contentType: "image/webp", size: 2, etag: expect.any(String) } },
    files: { a: expect.objectContaining({ media: [expect.objectContaining({ data: "AP8=" })] }) },
  },
  { call: `DELETE ${p}/media/logo`, status: 200, answer: {}, after: { media: [] } },

  { call: `GET ${p}/view`, status: 200, answer: inLists.view },
  { call: `GET ${p}/view/helm`, status: 200, answer: helm },
  {
    call: `PUT ${p}/view/engine`,
    body: { body: "x", more: 1 },
    status: 201,
    answer: { name: "engine", tags: [], enabled: true, settings: {} },
    after: { view: [helm, { ...engine, body: "x", more: 1 }] },
  },
  { call: `DELETE ${p}/view/helm`, status: 200, answer: {}, after: { view: [engine] } },
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
  { call: `PUT ${p}/view/helm/name`, body: "engine", status: 409, answer: { error: "view already exists" } },

  { call: `GET ${p}/commissioning`, status: 200, answer: [thruster] },
  { call: `GET ${p}/commissioning/thruster`, status: 200, answer: thruster },
  {
    call: `PUT ${p}/commissioning/heating`,
    body: {},
    status: 201,
    answer: { groupId: "heating", rules: [] },
    after: { commissioning: [thruster, { groupId: "heating", rules: [] }] },
  },
  { call: `DELETE ${p}/commissioning/thruster`, status: 200, answer: {}, after: { commissioning: [] } },
  {
    call: `PUT ${p}/commissioning/thruster/rules`,
    body: { option: "later", muxing: ["unknown"] },
    status: 201,
    answer: { ...thruster, rules: [...thruster.rules, { option: "later", muxing: ["unknown"] }] },
    after: { commissioning: [{ ...thruster, rules: [...thruster.rules, { option: "later", muxing: ["unknown"] }] }] },
  },
  {
    call: `DELETE ${p}/commissioning/thruster/rules/0`,
    status: 201,
    answer: { ...thruster, rules: [{ option: "none", muxing: [] }] },
    after: { commissioning: [{ ...thruster, rules: [{ option: "none", muxing: [] }] }] },
  },
  { call: `DELETE ${p}/commissioning/thruster/rules/2`, status: 400, answer: { error: "malformed index" } },

  ...["4096", "-1", "57abc", "+57", "12345678901234567890"].map(
    (id): Row => ({ call: `PUT ${p}/device/${id}`, body: {}, status: 400, answer: { error: "malformed device id" } }),
  ),
  { call: `PUT ${p}/device/130/legend/36`, body: { text: "" }, status: 400, answer: { error: "malformed zone" } },
  { call: `PUT /project/${"a".repeat(64)}/sensor/x`, body: {}, status: 400, answer: { error: "malformed project id" } },
  { call: `PUT ${p}/sensor/a.b`, body: {}, status: 400, answer: { error: "malformed name" } },
  { call: `PUT ${p}/sensor/x`, body: [], status: 400, answer: { error: "body must be an object" } },
  { call: `PUT ${p}/sensor/x`, body: bytes("7b"), status: 400, answer: { error: "body is not valid JSON" } },
  { call: `PUT ${p}/sensor/x`, status: 400, answer: { error: "missing body" } },

  // Any object is an entry; what is stored is taken back.
  {
    call: `PUT ${p}/device/130/parameter/bare`,
    body: { unit: "V", base: 1 },
    status: 201,
    answer: { name: "bare", unit: "V", base: 1 },
    after: panels({ ...panel, parameters: [mode, dim, { name: "bare", unit: "V", base: 1 }] }),
  },
  {
    call: `PUT ${p}/device/130/legends`,
    body: [{ zone: "17", label: "Bow" }],
    status: 201,
    answer: [horn, { zone: 17, label: "Bow" }],
    after: panels({ ...panel, legend: [horn, { zone: 17, label: "Bow" }] }),
  },
  {
    call: `DELETE ${p}/device/130/legends`,
    body: [16],
    status: 200,
    answer: [],
    after: panels({ ...panel, legend: [] }),
  },
  {
    call: `PUT ${p}/commissioning/thruster/rules`,
    body: { option: "later" },
    status: 201,
    answer: { ...thruster, rules: [...thruster.rules, { option: "later" }] },
    after: { commissioning: [{ ...thruster, rules: [...thruster.rules, { option: "later" }] }] },
  },
  {
    call: `PUT ${p}/muxing/odd`,
    body: { config: { any: 1 } },
    status: 201,
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
    status: 201,
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
    status: 201,
    answer: { ...summary, id: "c", uid: uuid, duplicateFrom: "u" },
  },

  // Numbers in paths are canonical.
  ...["05", "00000000000000000005", "007"].map((deviceId) => ({
    call: `PUT ${p}/device/${deviceId}`,
    status: 400,
    answer: { error: "malformed device id" },
  })),
  { call: `GET ${p}/device/130/legend/016`, status: 400, answer: { error: "malformed zone" } },
  { call: `DELETE ${p}/commissioning/thruster/rules/00`, status: 400, answer: { error: "malformed index" } },
  { call: `PUT ${p}/nothing/x`, body: {}, status: 404, answer: { error: "no such route" } },
];

const encode = (body: Json | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  body instanceof Uint8Array ? body : new TextEncoder().encode(print(body));

async function contentOf(response: Response, expected: unknown): Promise<unknown> {
  if (expected instanceof Uint8Array) return new Uint8Array(await response.arrayBuffer());
  return JSON.parse(await response.text());
}

export function serviceContract(name: string, open: () => Promise<ServiceUnderTest>): void {
  test.each(rows.map((row) => [row.call, row.status, row] as const))(
    `${name}: %s answers %i, and the files are as the contract says`,
    async (call, status, { body, headers = {}, answer, after, files = {}, deployed }) => {
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
