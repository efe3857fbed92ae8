/** Synapse: the one section that is an object, its entries' ids the keys. */
import * as z from "zod";
import { type Draft, type Entry, setSection, synapsesOf } from "../document.ts";
import { anyEntry } from "../entries.ts";
import { type JsonObject, own, without } from "../json.ts";
import { type Operation, operation } from "../operation.ts";
import { Refusal } from "../refusal.ts";

const feature = "synapse";

function needSynapse(draft: Draft, instanceId: string): Entry {
  const entry = own(synapsesOf(draft.project), instanceId);
  if (entry === undefined) throw new Refusal(404, "no such synapse entry");
  return entry as Entry;
}

export const synapse: readonly Operation[] = [
  operation({
    feature,
    method: "GET",
    path: "/project/{id}/synapse",
    summary: "All synapse entries by their ids",
    success: 200,
    answer: z.record(z.string(), anyEntry),
    run: (draft) => ({ json: synapsesOf(draft.project) }),
  }),
  operation({
    feature,
    method: "GET",
    path: "/project/{id}/synapse/{instanceId}",
    summary: "Read one synapse entry",
    success: 200,
    answer: anyEntry,
    run: (draft, { instanceId }) => ({ json: needSynapse(draft, instanceId) }),
  }),
  operation({
    feature,
    method: "PUT",
    path: "/project/{id}/synapse/{instanceId}",
    summary: "Create or replace one synapse entry",
    success: 201,
    body: { schema: anyEntry as unknown as z.ZodType<JsonObject> },
    answer: anyEntry,
    run(draft, { instanceId }, body) {
      setSection(draft, "synapse", { ...synapsesOf(draft.project), [instanceId]: body });
      return { json: body };
    },
  }),
  operation({
    feature,
    method: "DELETE",
    path: "/project/{id}/synapse/{instanceId}",
    summary: "Delete one synapse entry",
    success: 200,
    answer: z.object({}),
    run(draft, { instanceId }) {
      needSynapse(draft, instanceId);
      setSection(draft, "synapse", without(synapsesOf(draft.project), instanceId));
      return { json: {} };
    },
  }),
];
