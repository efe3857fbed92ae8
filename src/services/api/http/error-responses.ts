/** Error responses in the OpenAPI document: components that the operations refer to. */
import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { ApiEnv } from "./env.ts";

/** By status: the name of the component, which is the reason phrase of HTTP, and the meaning of the status here. */
const errors = {
  304: { name: "NotModified", description: "Not modified" },
  400: { name: "BadRequest", description: "Malformed path or body" },
  401: { name: "Unauthorized", description: "Password required, or a request from another site" },
  404: { name: "NotFound", description: "Not found" },
  409: { name: "Conflict", description: "Conflict: it exists already" },
  500: { name: "InternalServerError", description: "Not saved, or a malformed project file" },
  503: { name: "ServiceUnavailable", description: "Starting" },
} as const;

export type ErrorStatus = keyof typeof errors;

/** For the statuses of an operation. */
export const errorReference = (status: ErrorStatus) => ({ $ref: `#/components/responses/${errors[status].name}` });

const errorBody = z.object({
  error: z.string().openapi({ description: "The action that failed" }),
  errno: z.int().optional().openapi({ description: "Number of the system error" }),
  code: z.string().optional().openapi({ description: "Symbolic name of the system error, for the common ones" }),
  message: z.string().optional().openapi({ description: "Message of the system error" }),
});

export function registerErrors({ openAPIRegistry: registry }: OpenAPIHono<ApiEnv>): void {
  registry.register("Error", errorBody);
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
  for (const [status, { name, description }] of Object.entries(errors)) {
    registry.registerComponent("responses", name, { description, ...(status !== "304" && { content }) });
  }
}
