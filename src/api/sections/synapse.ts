/** Synapse: the section that is an object, with the ids of its entries as keys. */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import { type Draft, type Entry, setSection, synapsesOf } from "../../project/document.ts";
import { own, without } from "../../project/json.ts";
import { Refusal } from "../../project/refusal.ts";
import { json } from "../responses.ts";
import { anyEntry, nothing, type SectionApp, sectionEndpoint } from "./section.ts";

const family = "synapse";
const one = "/synapse/{instanceId}";

function needSynapse(draft: Draft, instanceId: string): Entry {
  const entry = own(synapsesOf(draft.project), instanceId);
  if (entry === undefined) throw new Refusal(404, "no such synapse entry");
  return entry as Entry;
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
  (c) => json(synapsesOf(c.get("draft").project), 200),
);

sectionEndpoint(
  synapse,
  { family, method: "get", path: one, summary: "Read one synapse entry", success: 200, response: anyEntry },
  (c) => json(needSynapse(c.get("draft"), c.req.valid("param").instanceId), 200),
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
    setSection(draft, "synapse", { ...synapsesOf(draft.project), [c.req.valid("param").instanceId]: entry });
    return json(entry, 201);
  },
);

sectionEndpoint(
  synapse,
  { family, method: "delete", path: one, summary: "Delete one synapse entry", success: 200, response: nothing },
  (c) => {
    const draft = c.get("draft");
    const { instanceId } = c.req.valid("param");
    needSynapse(draft, instanceId);
    setSection(draft, "synapse", without(synapsesOf(draft.project), instanceId));
    return json({}, 200);
  },
);
