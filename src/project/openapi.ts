/** OpenAPI 3.1 of a list of endpoints: what the console shows, and one more reading of the definitions. */
import * as z from "zod";
import { isObject, type Json, type JsonObject } from "./json.ts";
import type { Body, Description } from "./operation.ts";
import { type Segment, type SegmentName, segments } from "./segments.ts";

export interface DocumentInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

const meanings: Readonly<Record<number, string>> = {
  200: "done",
  201: "created or replaced",
  304: "the caller has it already",
  400: "malformed path or body",
  401: "password required, or a request from another site",
  404: "no such thing",
  409: "there is one already",
  500: "not saved, or a malformed project file",
  503: "starting",
};

const error = {
  type: "object",
  required: ["error"],
  properties: {
    error: { type: "string", description: "what could not be done" },
    errno: { type: "integer", description: "number of a system error" },
    code: { type: "string", description: "its symbolic name, for the common ones" },
    message: { type: "string", description: "its sentence" },
  },
};

const errorAnswer = (status: number): JsonObject => ({
  description: meanings[status] ?? String(status),
  ...(status !== 304 && { content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } }),
});

const anyBytes = { "application/octet-stream": { schema: { type: "string", format: "binary" } } };

function schemaOf(type: z.ZodType): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: "input", unrepresentable: "any" });
  return plain(schema as unknown as Json);
}

/** JSON Schema's noise taken out: bounds that say "any integer" and objects that say they may hold more. */
function plain(value: Json): Json {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(
    ([key, item]) =>
      !(key === "minimum" && item === Number.MIN_SAFE_INTEGER) &&
      !(key === "maximum" && item === Number.MAX_SAFE_INTEGER) &&
      !(key === "additionalProperties" && isObject(item) && Object.keys(item).length === 0),
  );
  return Object.fromEntries(kept.map(([key, item]) => [key, plain(item)]));
}

function parameterOf(name: string): JsonObject {
  const { about, schema } = segments[name as SegmentName] as Segment<unknown>;
  return { name, in: "path", required: true, description: about, schema: { ...schema } };
}

const bodyOf = ({ schema, optional, raw }: Body): JsonObject => ({
  required: !optional,
  content: raw ? anyBytes : { "application/json": { schema: schemaOf(schema) } },
});

const namesIn = (path: string): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** The first literal that says what an endpoint is about, for those without a feature. */
const tagOf = ({ feature, path }: Description): string => feature ?? path.split("/")[1]!;

/** A name that code generators can use: `put-project-device-parameter`. */
const operationId = ({ method, path }: Description): string =>
  [method.toLowerCase(), ...path.split("/").map((part) => part.replace(/^\{(\w+)\}$/, "by-$1"))]
    .filter(Boolean)
    .join("-");

function operationOf(description: Description): JsonObject {
  const { path, summary, success, body, answer, refusals = [], method } = description;
  const inProject = path.startsWith("/project/");
  const common = [
    ...(path.includes("{") || body !== undefined ? [400] : []),
    ...(inProject || method !== "GET" ? [401] : []),
    ...(inProject ? [404, 500] : []),
  ];
  const statuses = [...new Set([...common, ...refusals])].sort();
  const content = answer === undefined ? anyBytes : { "application/json": { schema: schemaOf(answer) } };
  return {
    tags: [tagOf(description)],
    summary,
    operationId: operationId(description),
    ...(inProject && { security: [{}, { password: [] }] }),
    ...(path.includes("{") && { parameters: namesIn(path).map(parameterOf) }),
    ...(body && { requestBody: bodyOf(body) }),
    responses: {
      [success]: { description: meanings[success]!, content },
      ...Object.fromEntries(statuses.map((status) => [status, errorAnswer(status)])),
    },
  };
}

export function openApi(endpoints: readonly Description[], info: DocumentInfo): JsonObject {
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  return {
    openapi: "3.1.0",
    info: { ...info },
    // Relative to the document, so that it is true at the daemon and behind the proxy's path alike.
    servers: [{ url: "." }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: error },
      securitySchemes: {
        password: {
          type: "http",
          scheme: "bearer",
          description: "SHA-256 of the project's password, 64 lower-case hex digits",
        },
      },
    },
  };
}
