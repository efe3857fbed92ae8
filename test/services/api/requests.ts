/** Random requests made from the OpenAPI document: right ones, nearly right ones and nonsense. */

import { isObject, type Json, type JsonObject, print } from "../../../src/core/project/json.ts";
import { openApiDocument } from "../../../src/services/api/openapi.ts";

export interface AnyRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** Statuses the document has for it; undefined if it is no operation of the document. */
  readonly documented: readonly number[] | undefined;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly statuses: readonly number[];
  readonly body: JsonObject | undefined;
  readonly isRaw: boolean;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> };
}

const { paths, components } = openApiDocument("0") as unknown as Document;

const operations: readonly Operation[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { responses, requestBody }]): Operation => {
    const content = (requestBody as { content: Record<string, { schema: JsonObject }> } | undefined)?.content;
    return {
      method: method.toUpperCase(),
      path,
      statuses: Object.keys(responses as JsonObject).map(Number),
      body: content?.["application/json"]?.schema,
      isRaw: content !== undefined && "application/octet-stream" in content,
    };
  }),
);

/** Few names, so that what one request makes another finds. */
const values: Readonly<Record<string, readonly string[]>> = {
  id: ["a", "a", "a", "b", "locked", "template", "none"],
  newId: ["b", "c", "d"],
  deviceId: ["0", "130", "4095"],
  zone: ["16", "16.FR", "35"],
  index: ["0", "1", "7"],
};
const names = ["x", "y", "z", "password", "constructor", "__proto__", "toString"];

const odd = [
  ...[
    "",
    ".",
    "..",
    "%2e%2e",
    "%2E%2E%2Fetc",
    "a%2Fb",
    "..%5c..",
    "%00",
    "a%00.json",
    "%zz",
    "%",
    "%c3%28",
    "%F0%9F%9A%A2",
  ],
  ...[
    "a".repeat(63),
    "a".repeat(64),
    "a".repeat(5000),
    "4096",
    "-1",
    "+57",
    "57abc",
    "0x10",
    "1e3",
    "12345678901234567890",
  ],
  ...[
    "a.b",
    "a_b",
    "a b",
    "a+b",
    "*",
    ":id",
    "{id}",
    "__proto__",
    "constructor",
    "deploy.json",
    "a.json",
    "~root",
    "\\",
    "'",
    '"',
  ],
];

const oddJson: readonly Json[] = [
  ...[
    null,
    true,
    0,
    -1,
    1e300,
    0.1,
    "",
    "x",
    "\u0000",
    "\ud800",
    "ä".repeat(300),
    [],
    {},
    [[[[]]]],
    [null],
    { "": "" },
  ],
  ...[JSON.parse('{"__proto__": {"x": 1}}') as Json, { constructor: 1, toString: null }, { name: { name: [] } }],
];

/** A generator of numbers below 1 that gives the same ones for the same seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A source of requests, the same ones for the same seed. */
export function requestsFrom(seed: number, secret: string): () => AnyRequest {
  const next = numbersFrom(seed);
  const chance = (share: number): boolean => next() < share;
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(next() * list.length)]!;
  const several = <Value>(most: number, make: () => Value): Value[] =>
    Array.from({ length: Math.floor(next() * (most + 1)) }, make);

  const jsonOf = (schema: Json | undefined): Json => {
    if (!isObject(schema) || chance(0.03)) return pick(oddJson);
    if (typeof schema.$ref === "string") return jsonOf(components.schemas[schema.$ref.split("/").at(-1)!]!);
    const { anyOf, allOf, type, properties, required, items, additionalProperties, pattern } = schema;
    if (Array.isArray(anyOf)) return jsonOf(pick(anyOf));
    if (Array.isArray(allOf)) {
      const parts = (allOf as readonly Json[]).map(jsonOf);
      return parts.every(isObject) ? Object.assign({}, ...parts) : pick(oddJson);
    }
    switch (Array.isArray(type) ? pick(type as readonly string[]) : type) {
      case "object": {
        const needed = (required ?? []) as readonly string[];
        const known = Object.entries((properties ?? {}) as JsonObject)
          .filter(([key]) => (needed.includes(key) ? chance(0.97) : chance(0.6)))
          .map(([key, part]): [string, Json] => [key, jsonOf(part)]);
        const more = several(2, (): [string, Json] => [pick(names), jsonOf(additionalProperties)]);
        return Object.fromEntries([...known, ...more]);
      }
      case "array":
        return several(3, () => jsonOf(items));
      case "string":
        return pattern === undefined ? pick([...names, "16", "16.FR", "out.1", "text"]) : pick([...names, secret]);
      case "integer":
        return pick([0, 16, 35, 130, 4095, 4096, -1]);
      case "number":
        return pick([0, 0.5, -3]);
      case "boolean":
        return chance(0.5);
      case "null":
        return null;
      default:
        return pick(oddJson);
    }
  };

  const pathOf = ({ path }: Operation): { readonly target: string; readonly isOdd: boolean } => {
    let isOdd = false;
    const target = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (!chance(0.04)) return pick(values[name] ?? names.slice(0, 5));
      isOdd = true;
      return pick(odd);
    });
    if (!chance(0.03)) return { target, isOdd };
    const segments = target.split("/");
    segments.splice(1 + Math.floor(next() * segments.length), chance(0.5) ? 1 : 0, pick(odd));
    return { target: segments.join("/"), isOdd: true };
  };

  const stepsOf = (): Json =>
    several(5, () => {
      const operation = pick(operations);
      const { target } = pathOf(operation);
      const data = operation.isRaw ? { data: pick(["AP8=", "x", ""]) } : jsonOf(operation.body);
      return chance(0.1) ? pick(oddJson) : { url: target, method: operation.method, data };
    });

  const bodyOf = ({ path, body, isRaw }: Operation): Uint8Array | undefined => {
    if (chance(0.03))
      return Buffer.from(pick(["{", "[1,]", "\u0000", '{"a": 1e999}', "nul", '"\\ud800"', "[".repeat(5000)]));
    if (isRaw) return Uint8Array.from(several(300, () => Math.floor(next() * 256)));
    if (body === undefined) return chance(0.05) ? Buffer.from("{}") : undefined;
    if (chance(0.03)) return undefined;
    return Buffer.from(print(path.endsWith("/transaction") && chance(0.9) ? stepsOf() : jsonOf(body)));
  };

  return () => {
    const operation = pick(operations);
    const { target, isOdd } = pathOf(operation);
    const method = chance(0.02)
      ? pick(["HEAD", "OPTIONS", "PATCH", "POST", "DELETE", "get", "PROPFIND"])
      : operation.method;
    const headers: Record<string, string> = {};
    if (chance(0.5))
      headers.authorization = chance(0.8) ? `Bearer ${secret}` : pick(["", " ", "Bearer", `x  ${secret}`]);
    if (chance(0.1)) headers["if-none-match"] = pick(["*", '"x"', 'W/"', ",,,", '"'.repeat(1000)]);
    if (chance(0.05)) headers["sec-fetch-site"] = pick(["cross-site", "same-origin", "none"]);
    if (chance(0.3)) headers["content-type"] = pick(["image/png", "text/html; x=ä", "x".repeat(300), "a\tb"]);
    const isDocumented = !isOdd && method === operation.method;
    return {
      method,
      target: chance(0.05) ? `${target}?${pick(odd)}` : target,
      headers,
      body: bodyOf(operation),
      documented: isDocumented ? operation.statuses : undefined,
    };
  };
}
