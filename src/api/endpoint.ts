/**
 * One endpoint: a route of `@hono/zod-openapi` with its handler, and the checks that come before it.
 *
 * The library's own validators are not used: they run after the middleware of a route, where the contract checks the shape of a
 * body last, answer 415 to a body without a JSON content type, and read numbers with JSON.parse.
 */
import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context, Handler, MiddlewareHandler } from "hono";
import { isUnchanged } from "../project/entries.ts";
import { allRounded, isObject, type Json, type JsonObject, NestingError, own, parseBytes } from "../project/json.ts";
import { nestedTooDeeply, Refusal } from "../project/refusal.ts";
import { bodyMessage } from "./body-message.ts";
import type { ApiEnv } from "./env.ts";
import { refuseCrossSite } from "./origin.ts";
import { type Parameters, parametersOf } from "./path-parameters.ts";

/** A request body. Schemas only check: the value that was sent is kept, with members that no schema knows. */
export interface Body<Value> {
  readonly schema: z.ZodType<Value>;
  /** A missing body is undefined. Default: it is refused with 400. */
  readonly optional?: boolean;
  /** The value may also come as the one member of an object: `{"enabled": true}`. */
  readonly wrapped?: string;
  /**
   * Bytes of any content type, whole or as a stream. Where they are whole, a step of a transaction sends
   * `{"metadata", "data": "<base64>"}`.
   */
  readonly raw?: "bytes" | "stream";
  /** The stored value that a GET shows; sent back unchanged it is not checked. */
  readonly stored?: (c: Context) => Json | undefined;
}

export interface Endpoint<Path extends string, Value> {
  /** The family of the endpoint: its entry in `features` and its tag in OpenAPI. */
  readonly family: string;
  readonly method: "get" | "put" | "post" | "delete";
  readonly path: Path;
  readonly summary: string;
  readonly success: 200 | 201;
  readonly body?: Body<Value>;
  /** The schema of a success; absent where it is bytes. */
  readonly response?: z.ZodType;
  /** Error statuses of its own, beside those that every endpoint of its kind has. */
  readonly errors?: readonly number[];
  /** The path that the application is mounted at, if that has parameters. */
  readonly prefix?: string;
  /** Runs between reading and checking the body: opens the project. */
  readonly middleware?: readonly MiddlewareHandler[];
}

/** A body as it was read. */
type Sent = Json | Uint8Array | AsyncIterable<Uint8Array> | undefined;

const isBytes = (sent: Sent): sent is Uint8Array | AsyncIterable<Uint8Array> =>
  typeof sent === "object" && sent !== null && (sent instanceof Uint8Array || Symbol.asyncIterator in sent);

/** The types of `c.req.valid("param")` and `c.req.valid("json")`. */
type Valid<Path extends string, Value> = { out: { param: Parameters<Path>; json: Value } };

/** Adds an endpoint to an application: route, checks, handler, and its entry in the OpenAPI document. */
export function endpoint<Env extends ApiEnv, Path extends string, Value = undefined>(
  app: OpenAPIHono<Env>,
  definition: Endpoint<Path, Value>,
  handler: (c: Context<Env, Path, Valid<Path, Value>>) => Response | Promise<Response>,
): void {
  const { method, path, prefix = "", body, middleware = [] } = definition;
  const parameters = parametersOf(`${prefix}${path}`);
  const route = createRoute(describe(definition, parameters));
  app.openAPIRegistry.registerPath(route);
  app.on(
    method,
    route.getRoutingPath(),
    refuseCrossSite,
    validParameters(parameters, parametersOf(path)),
    ...(body ? [readBody(body)] : []),
    ...middleware,
    ...(body ? [validBody(body)] : []),
    handler as Handler,
  );
}

const responses: Readonly<Record<number, string>> = {
  200: "Success",
  201: "Created or replaced",
  304: "Not modified",
  400: "Malformed path or body",
  401: "Password required, or a request from another site",
  404: "Not found",
  409: "Conflict: it exists already",
  500: "Not saved, or a malformed project file",
  503: "Starting",
};

const errorSchema = z
  .object({
    error: z.string().openapi({ description: "The action that failed" }),
    errno: z.int().optional().openapi({ description: "Number of the system error" }),
    code: z.string().optional().openapi({ description: "Symbolic name of the system error, for the common ones" }),
    message: z.string().optional().openapi({ description: "Message of the system error" }),
  })
  .openapi("Error");

const anyBytes = { "application/octet-stream": { schema: { type: "string", format: "binary" } } } as const;

function describe<Path extends string, Value>(
  { family, method, path, prefix = "", summary, success, body, response, errors = [] }: Endpoint<Path, Value>,
  parameters: z.ZodObject,
) {
  const whole = `${prefix}${path === "/" ? "" : path}`;
  const hasParameters = whole.includes("{");
  const opensProject = whole.startsWith("/project/");
  const common = [...(hasParameters || body ? [400] : []), 401, ...(opensProject ? [404, 500] : [])];
  const statuses = [...new Set([...common, ...errors])].sort();
  const error = (status: number) => ({
    description: responses[status]!,
    ...(status !== 304 && { content: { "application/json": { schema: errorSchema } } }),
  });
  return {
    method,
    path,
    tags: [family],
    summary,
    operationId: operationId(method, whole),
    security: opensProject ? [{}, { password: [] }] : [],
    request: {
      ...(hasParameters && { params: parameters }),
      ...(body && {
        body: {
          required: !body.optional,
          content: body.raw ? anyBytes : { "application/json": { schema: body.schema } },
        },
      }),
    },
    responses: {
      [success]: {
        description: responses[success]!,
        content: response === undefined ? anyBytes : { "application/json": { schema: response } },
      },
      ...Object.fromEntries(statuses.map((status) => [status, error(status)])),
    },
  };
}

/** A name that code generators can use: `put-project-by-id-sensor-by-name`. */
const operationId = (method: string, path: string): string =>
  [method, ...path.split("/").map((part) => part.replace(/^\{(\w+)\}$/, "by-$1"))].filter(Boolean).join("-");

/** Checks the parameters of the path; a step of a transaction has no project id in its own. */
const validParameters =
  (parameters: z.ZodObject, ofStep: z.ZodObject): MiddlewareHandler =>
  (c, next) => {
    const { data, error } = (c.env?.step ? ofStep : parameters).safeParse(c.req.param());
    if (error !== undefined) throw new Refusal(400, error.issues[0]!.message);
    c.req.addValidatedData("param", data);
    return next();
  };

/** Reads the body whole and parses it, so that a request that waits for its turn does not wait for its body. */
const readBody =
  ({ optional, raw }: Body<unknown>): MiddlewareHandler =>
  async (c, next) => {
    const step = c.env?.step as { body: Json | undefined } | undefined;
    c.set("body", step === undefined ? await bodyOf(c, raw) : step.body);
    if (c.get("body") === undefined && !optional) throw new Refusal(400, "missing body");
    return next();
  };

async function bodyOf(c: Context, raw: Body<unknown>["raw"]): Promise<Sent> {
  if (raw === "stream") return streamOf(c);
  const content = await c.req.arrayBuffer().catch(cutShort);
  if (content.byteLength === 0) return undefined;
  if (raw === "bytes") return new Uint8Array(content);
  try {
    return parseBytes(new Uint8Array(content));
  } catch (error) {
    if (error instanceof NestingError) throw nestedTooDeeply();
    if (error instanceof SyntaxError) throw new Refusal(400, "body is not valid JSON");
    throw error;
  }
}

/** The client has closed the connection before the announced length. */
function cutShort(cause: unknown): never {
  throw new Refusal(400, "missing body", { cause });
}

/** The chunks of a body, of which the first is there; undefined for an empty one. */
async function streamOf(c: Context): Promise<AsyncIterable<Uint8Array> | undefined> {
  const reader = c.req.raw.body?.getReader();
  const first = await reader?.read().catch(cutShort);
  if (reader === undefined || first?.value === undefined) return undefined;
  const rest = async function* (): AsyncGenerator<Uint8Array> {
    for (let { value } = first; value !== undefined; { value } = await reader.read().catch(cutShort)) yield value;
  };
  return rest();
}

const isOneMember = (value: Json | undefined, name: string): value is JsonObject =>
  isObject(value) && Object.hasOwn(value, name) && Object.keys(value).length === 1;

/** Checks the shape of the body; the value that was sent is kept, not the one that zod made. */
const validBody =
  ({ schema, wrapped, stored }: Body<unknown>): MiddlewareHandler =>
  (c, next) => {
    const sent = c.get("body") as Sent;
    if (isBytes(sent)) {
      c.req.addValidatedData("json", sent);
      return next();
    }
    const before = stored?.(c);
    const isWrapped = wrapped !== undefined && isOneMember(sent, wrapped) && !isUnchanged(sent, before);
    const value = isWrapped ? own(sent, wrapped) : sent;
    if (value !== undefined && !isUnchanged(value, before)) {
      const { error } = schema.safeParse(allRounded(value));
      if (error !== undefined) throw new Refusal(400, bodyMessage(error.issues[0]!, isWrapped ? [wrapped] : []));
    }
    c.req.addValidatedData("json", value as object);
    return next();
  };
