/** Families of endpoints: the tags of the OpenAPI document, and the features of the identity. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { SectionName } from "../../../core/project/document.ts";
import type { ApiEnv } from "./env.ts";

/** The name of a section, of a part of one, or of another group of endpoints. */
export type Family =
  | SectionName
  | "service"
  | "deploy"
  | "deploy-backup"
  | "project"
  | "backup"
  | "transaction"
  | "duplicate"
  | "rename"
  | "device-legend"
  | "apps"
  | "charts"
  | "update";

/** The families of an application's endpoints, each once, in the order of the routes. */
export const familiesOf = (app: OpenAPIHono<ApiEnv>): readonly Family[] => [
  ...new Set(
    app.openAPIRegistry.definitions.flatMap((definition) =>
      definition.type === "route" ? ((definition.route.tags ?? []) as Family[]) : [],
    ),
  ),
];
