/** Views: pages of the displays. Their bodies belong to the displays; what menus need of them can be changed piece by piece. */
import * as z from "zod";
import { type Draft, type Entry, entriesOf, findEntry, setSection } from "../document.ts";
import { entries, needEntry, storeEntry } from "../entries.ts";
import { isObject, type Json, type JsonObject, own, without } from "../json.ts";
import { type Operation, operation } from "../operation.ts";
import { malformedProject, Refusal } from "../refusal.ts";
import { segments } from "../segments.ts";

const feature = "view";

const tags = z.array(z.string());
const text = z.string().nullable();

const whole = z.looseObject({
  tags: tags.optional(),
  enabled: z.boolean().optional(),
  settings: z.looseObject({}).optional(),
  texts: z.looseObject({}).optional(),
});

/** Settings that may be changed without sending the whole view; null removes one. */
const settings = z.strictObject({
  title: text.optional(),
  icon: text.optional(),
  group: text.optional(),
  theme: text.optional(),
  background: text.optional(),
  orientation: text.optional(),
  order: z.int().nullable().optional(),
  refreshSec: z.int().nullable().optional(),
  home: z.boolean().nullable().optional(),
  locked: z.boolean().nullable().optional(),
});

const stripped = z.object({
  name: z.string(),
  tags,
  enabled: z.boolean(),
  settings: z.looseObject({}),
});

/** A view without its body, as lists show it. */
export const withoutBody = (view: Entry): JsonObject => ({
  name: own(view, "name") ?? null,
  tags: own(view, "tags") ?? [],
  enabled: own(view, "enabled") ?? true,
  settings: own(view, "settings") ?? {},
});

/** Changes one view and answers with it, stripped. */
function change(draft: Draft, name: string, keys: JsonObject): { readonly json: JsonObject } {
  const view = { ...needEntry(draft, "view", "name", name), ...keys };
  storeEntry(draft, "view", "name", view);
  return { json: withoutBody(view) };
}

/** An object inside a view; empty if absent. */
function part(draft: Draft, name: string, key: string): JsonObject {
  const value = own(needEntry(draft, "view", "name", name), key) ?? {};
  if (!isObject(value)) throw malformedProject();
  return value;
}

/** Puts a text element; of an element with more to it only its text changes. */
function patchText(texts: JsonObject, id: string, value: Json): JsonObject {
  if (value === null) return without(texts, id);
  if (typeof value !== "string") throw new Refusal(400, `invalid ${id.slice(0, 80)}: expected string or null`);
  const before = own(texts, id);
  const isElement = isObject(before) && Object.hasOwn(before, "text");
  return { ...texts, [id]: isElement ? { ...before, text: value } : value };
}

const patchSetting = (all: JsonObject, key: string, value: Json): JsonObject =>
  value === null ? without(all, key) : { ...all, [key]: value };

const merge = (
  target: JsonObject,
  patch: JsonObject,
  put: (target: JsonObject, key: string, value: Json) => JsonObject,
): JsonObject => Object.entries(patch).reduce((merged, [key, value]) => put(merged, key, value), target);

export const view: readonly Operation[] = [
  ...entries(feature, {
    schema: whole,
    show: withoutBody,
    complete: ({ name, ...body }) => ({
      name: name ?? null,
      tags: [],
      enabled: true,
      settings: {},
      texts: {},
      ...body,
    }),
  }),
  operation({
    feature,
    method: "PUT",
    path: "/project/{id}/view/{name}/tags",
    summary: "Replace the tags of a view",
    success: 200,
    body: { schema: tags, wrapped: "tags" },
    answer: stripped,
    run: (draft, { name }, sent) => change(draft, name, { tags: [...new Set(sent)] }),
  }),
  operation({
    feature,
    method: "PUT",
    path: "/project/{id}/view/{name}/enabled",
    summary: "Enable or disable a view",
    success: 200,
    body: { schema: z.boolean(), wrapped: "enabled" },
    answer: stripped,
    run: (draft, { name }, enabled) => change(draft, name, { enabled }),
  }),
  operation({
    feature,
    method: "PUT",
    path: "/project/{id}/view/{name}/texts",
    summary: "Change text elements of a view; null removes one",
    success: 200,
    body: { schema: z.record(z.string(), text) as unknown as z.ZodType<JsonObject> },
    answer: stripped,
    run: (draft, { name }, patch) =>
      change(draft, name, { texts: merge(part(draft, name, "texts"), patch, patchText) }),
  }),
  operation({
    feature,
    method: "PUT",
    path: "/project/{id}/view/{name}/settings",
    summary: "Change settings of a view; null removes one",
    success: 200,
    body: { schema: settings as unknown as z.ZodType<JsonObject> },
    answer: stripped,
    run: (draft, { name }, patch) =>
      change(draft, name, { settings: merge(part(draft, name, "settings"), patch, patchSetting) }),
  }),
  operation({
    feature,
    method: "PUT",
    path: "/project/{id}/view/{name}/name",
    summary: "Rename a view; its place stays, references to it are not followed",
    success: 200,
    body: {
      schema: z.string().refine((name) => segments.name.read(name) !== undefined, "malformed name"),
      wrapped: "name",
    },
    answer: stripped,
    refusals: [409],
    run(draft, { name }, newName) {
      const before = needEntry(draft, "view", "name", name);
      const views = entriesOf(draft.project, "view");
      if (newName !== name && findEntry(views, "name", newName) !== undefined) {
        throw new Refusal(409, "view already exists");
      }
      const after = { ...before, name: newName };
      setSection(draft, "view", views.with(views.indexOf(before), after));
      return { json: withoutBody(after) };
    },
  }),
];
