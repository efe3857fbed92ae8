/** Every endpoint of the application, as its OpenAPI registry has it. */
import { endpoints as app } from "../../../src/services/api/app.ts";

export interface ListedEndpoint {
  readonly method: string;
  /** The path, with `{names}` for its parameters. */
  readonly path: string;
  readonly success: number;
  readonly hasBody: boolean;
}

export const endpoints: readonly ListedEndpoint[] = app.openAPIRegistry.definitions.flatMap((definition) => {
  if (definition.type !== "route") return [];
  const { method, path, responses, request } = definition.route;
  const success = Number(Object.keys(responses).find((status) => status.startsWith("2")));
  return [{ method: method.toUpperCase(), path, success, hasBody: request?.body !== undefined }];
});
