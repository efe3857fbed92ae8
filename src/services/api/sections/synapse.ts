/** Synapse: the section that is an object, with the ids of its entries as keys. */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import { synapsesOf } from "../../../core/project/document.ts";
import {
  addDelete,
  addPut,
  addRead,
  anyEntry,
  type SectionApp,
  type SectionOptions,
  sectionEndpoint,
} from "./section.ts";

const options: SectionOptions = {
  parameter: "instanceId",
  store: {
    keys: () => ({}),
    find: (draft, id) => draft.synapse(String(id)),
    put: (draft, entry, id) => draft.setSynapse(String(id), entry),
    remove: (draft, id) => draft.setSynapse(String(id)),
  },
};

export const synapse: SectionApp = new OpenAPIHono();

sectionEndpoint(
  synapse,
  {
    family: "synapse",
    method: "get",
    path: "/synapse",
    summary: "All synapse entries by their ids",
    response: z.record(z.string(), anyEntry),
  },
  (c) => () => synapsesOf(c.get("draft").project),
);
for (const add of [addRead, addPut, addDelete]) add(synapse, "synapse", options);
