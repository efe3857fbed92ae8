/**
 * One endpoint: a route of `@hono/zod-openapi` with its handler, and the checks that come before it.
 *
 * The validators of the library are not used: they run after the middleware of a route, while the contract checks the
 * shape of a body last; they answer 415 to a body without a JSON content type; and they read numbers with JSON.parse.
 */
import { createRoute, type OpenAPIHono, type z } from "@hono/zod-openapi";
import type { Context, Handler, MiddlewareHandler } from "hono";
import { isUnchanged } from "../../../core/project/entries.ts";
import { allRounded, isObject, type Json, type JsonObject, own } from "../../../core/project/json.ts";
import { Refusal } from "../../../core/project/refusal.ts";
import { bodyMessage } from "./body-message.ts";
import type { ApiEnv } from "./env.ts";
import { type ErrorStatus, errorReference } from "./error-responses.ts";
import type { Raw, Sent } from "./exchange.ts";
import type { Family } from "./families.ts";
import { refuseCrossSite } from "./origin.ts";
import { type Parameters, parametersOf } from "./path-parameters.ts";

/** A request body. Schemas only check: the sent value is kept, with members that no schema has. */
export interface Body<Value> {
  readonly schema: z.ZodType<Value>;
  /** A missing body is undefined. Default: it is refused with 400. */
  readonly optional?: boolean;
  /** The value may also be the only member of an object: `{"enabled": true}`. */
  readonly wrapped?: string;
  /**
   * Bytes of any content type, whole or as a stream. If they are whole, a step of a transaction sends `{"metadata",
   * "data": "<base64>"}`.
   */
  readonly raw?: Raw;
  /** The stored value that a GET shows; if it is sent back unchanged, it is not checked. */
  readonly stored?: (c: Context) => Json | undefined;
}

export interface Endpoint<Path extends string, Value> {
  /** The family of the endpoint: its entry in `features` and its tag in OpenAPI. */
  readonly family: Family;
  readonly method: "get" | "put" | "post" | "delete";
  readonly path: Path;
  readonly summary: string;
  /** The status of success. Default: 201 of a PUT, else 200. */
  readonly success?: 200 | 201;
  readonly body?: Body<Value>;
  /** The schema of a successful response; absent if that is bytes. */
  readonly response?: z.ZodType;
  /** Error statuses in addition to those of every endpoint of its kind. */
  readonly errors?: readonly ErrorStatus[];
  /** The path at which the application is mounted, if it has parameters. */
  readonly prefix?: string;
  /** The handler checks the password of the deployed configuration. */
  readonly hasPassword?: true;
  /** Middleware that runs between reading and checking the body: opens the project. */
  readonly middleware?: readonly MiddlewareHandler[];
}

export const successOf = ({ method, success }: Pick<Endpoint<string, unknown>, "method" | "success">): 200 | 201 =>
  success ?? (method === "put" ? 201 : 200);

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
    validParameters(parameters),
    ...(body ? [readBody(body)] : []),
    ...middleware,
    ...(body ? [validBody(body)] : []),
    handler as Handler,
  );
}

const anyBytes = { "application/octet-stream": { schema: { type: "string", format: "binary" } } } as const;

function describe<Path extends string, Value>(definition: Endpoint<Path, Value>, parameters: z.ZodObject) {
  const { family, method, path, prefix = "", summary, body, response, errors = [], hasPassword } = definition;
  const success = successOf(definition);
  const whole = `${prefix}${path === "/" ? "" : path}`;
  const hasParameters = whole.includes("{");
  const opensProject = whole.startsWith("/project/");
  const malformed = hasParameters || body ? ([400] as const) : [];
  const noProject = opensProject ? ([404, 500] as const) : [];
  const statuses = [...new Set<ErrorStatus>([...malformed, 401, ...noProject, ...errors])].sort();
  return {
    method,
    path,
    tags: [family],
    summary,
    operationId: operationId(method, whole),
    security: opensProject || hasPassword ? [{}, { password: [] }] : [],
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
        description: success === 200 ? "Success" : "Created or replaced",
        content: response === undefined ? anyBytes : { "application/json": { schema: response } },
      },
      ...Object.fromEntries(statuses.map((status) => [status, errorReference(status)])),
    },
  };
}

/** A name that code generators can use: `put-project-by-id-sensor-by-name`. */
const operationId = (method: string, path: string): string =>
  [method, ...path.split("/").map((part) => part.replace(/^\{(\w+)\}$/, "by-$1"))].filter(Boolean).join("-");

/** Checks the parameters of the path. */
const validParameters =
  (parameters: z.ZodObject): MiddlewareHandler =>
  (c, next) => {
    const { data, error } = parameters.safeParse(c.req.param());
    if (error !== undefined) throw new Refusal(400, error.issues[0]!.message);
    c.req.addValidatedData("param", data);
    return next();
  };

/** Reads the whole body and parses it, so that a request has its body before it waits for its turn. */
const readBody =
  ({ optional, raw }: Body<unknown>): MiddlewareHandler =>
  async (c, next) => {
    // The rest of a file, which a client resumes, is not the file (RFC 9110, 14.5).
    if (c.req.header("content-range") !== undefined) throw new Refusal(400, "part of a body refused");
    const body = await c.get("exchange").body(raw);
    if (body === undefined && !optional) throw new Refusal(400, "missing body");
    c.set("body", body);
    return next();
  };

const isOneMember = (value: Json | undefined, name: string): value is JsonObject =>
  isObject(value) && Object.hasOwn(value, name) && Object.keys(value).length === 1;

/** Checks the shape of the body; the sent value is kept, not the one that zod makes. */
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
