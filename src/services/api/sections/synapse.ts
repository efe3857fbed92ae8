/** Synapse: the section that is an object, with the ids of its entries as keys. */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import { type Draft, type Entry, synapsesOf } from "../../../core/project/document.ts";
import { Refusal } from "../../../core/project/refusal.ts";
import { anyEntry, nothing, type SectionApp, sectionEndpoint } from "./section.ts";

const family = "synapse";
const one = "/synapse/{instanceId}";

function needSynapse(draft: Draft, instanceId: string): Entry {
  const entry = draft.synapse(instanceId);
  if (entry === undefined) throw new Refusal(404, "no such synapse entry");
  return entry;
}

export const synapse: SectionApp = new OpenAPIHono();

sectionEndpoint(
  synapse,
  {
    family,
    method: "get",
    path: "/synapse",
    summary: "All synapse entries by their ids",
    success: 200,
    response: z.record(z.string(), anyEntry),
  },
  (c) => () => synapsesOf(c.get("draft").project),
);

sectionEndpoint(
  synapse,
  { family, method: "get", path: one, summary: "Read one synapse entry", success: 200, response: anyEntry },
  (c) => needSynapse(c.get("draft"), c.req.valid("param").instanceId),
);

sectionEndpoint(
  synapse,
  {
    family,
    method: "put",
    path: one,
    summary: "Create or replace one synapse entry",
    success: 201,
    body: { schema: anyEntry },
    response: anyEntry,
  },
  (c) => {
    const draft = c.get("draft");
    const entry = c.req.valid("json");
    draft.setSynapse(c.req.valid("param").instanceId, entry);
    return entry;
  },
);

sectionEndpoint(
  synapse,
  { family, method: "delete", path: one, summary: "Delete one synapse entry", success: 200, response: nothing },
  (c) => {
    const draft = c.get("draft");
    const { instanceId } = c.req.valid("param");
    needSynapse(draft, instanceId);
    draft.setSynapse(instanceId);
    return {};
  },
);
