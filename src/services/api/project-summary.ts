/** A project as the list shows it, which needs no password. */
import { z } from "@hono/zod-openapi";
import { type JsonObject, own } from "../../core/project/json.ts";
import type { Examined } from "./stored-project.ts";

export const projectSummary = z
  .object({
    id: z.string(),
    name: z.string(),
    uid: z.string().nullable(),
    template: z.boolean(),
    protected: z.boolean(),
    duplicateFrom: z.string().optional(),
    invalid: z.boolean().optional(),
  })
  .openapi("ProjectSummary");

export function summaryOf(id: string, template: boolean, examined: Examined): JsonObject {
  const isProtected = examined.secret !== undefined;
  if (examined.kind === "invalid") return { id, name: id, uid: null, template, protected: isProtected, invalid: true };
  const { project } = examined;
  const uid = own(project, "uid");
  const name = own(project, "name");
  const duplicateFrom = own(project, "duplicateFrom");
  return {
    id,
    name: typeof name === "string" ? name : id,
    uid: typeof uid === "string" ? uid : null,
    template,
    protected: isProtected,
    ...(duplicateFrom !== undefined && { duplicateFrom }),
  };
}
