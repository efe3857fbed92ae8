/** Families of endpoints: the tags of the OpenAPI document, and the features of the identity. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { ApiEnv } from "./env.ts";

/** The families of an application's endpoints, each once, in the order of the routes. */
export const familiesOf = (app: OpenAPIHono<ApiEnv>): readonly string[] => [
  ...new Set(
    app.openAPIRegistry.definitions.flatMap((definition) =>
      definition.type === "route" ? (definition.route.tags ?? []) : [],
    ),
  ),
];
