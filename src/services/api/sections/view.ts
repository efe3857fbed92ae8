/** Views: pages of the displays; their parts can be changed separately. */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Draft, Entry } from "../../../core/project/document.ts";
import { type Json, type JsonObject, own } from "../../../core/project/json.ts";
import { shortName } from "../../../core/project/names.ts";
import { changeView, patchSettings, patchTexts, renameView, withoutBody } from "../../../core/project/views.ts";
import type { Body } from "../http/endpoint.ts";
import type { ErrorStatus } from "../http/error-responses.ts";
import { section, sectionEndpoint } from "./section.ts";

const tags = z.array(z.string());
const text = z.string().nullable();
const anyObject = z.looseObject({});

const wholeView = z.looseObject({
  tags: tags.nullish(),
  enabled: z.boolean().nullish(),
  settings: anyObject.nullish(),
  texts: z.union([anyObject, z.array(z.unknown())], "expected object or array").nullish(),
});

/** Settings that can be changed without sending the whole view; null removes one. */
const settingTypes = {
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
};

const settings = z.strictObject(settingTypes, {
  error: (issue) =>
    issue.code === "unrecognized_keys" ? `not allowed, allowed are ${Object.keys(settingTypes).join(", ")}` : undefined,
});

const texts = z
  .union([z.record(z.string(), z.unknown()), z.array(z.unknown())], "body must be an object or an array")
  .openapi({
    description: "Texts or objects by element id, null removes one; or a list of elements with an id",
  });

const stripped = z.object({ name: z.string(), tags, enabled: z.boolean(), settings: anyObject }).openapi("ViewSummary");

/** A member of the view that a GET shows. */
const storedMember = (member: string) => (c: Context) => {
  const { name } = c.req.valid("param" as never) as { name: string };
  const stored = c.get("draft").find("view", name) as Entry | undefined;
  return stored && own(stored, member);
};

export const view = section("view", {
  schema: wholeView as unknown as z.ZodType<JsonObject>,
  show: withoutBody,
  complete: ({ name, ...body }) => ({
    name: name ?? null,
    tags: [],
    enabled: true,
    settings: {},
    texts: {},
    ...body,
  }),
});

/** Changes a part of a view alone; the body is the part, or an object with it as its only member. */
function changes<Value>(
  part: "tags" | "enabled" | "texts" | "settings" | "name",
  summary: string,
  body: Omit<Body<Value>, "wrapped">,
  change: (draft: Draft, view: string, value: Value) => JsonObject,
  errors: readonly ErrorStatus[] = [],
): void {
  const definition = {
    family: "view",
    method: "put",
    path: `/view/{name}/${part}`,
    summary,
    success: 200,
    response: stripped,
  } as const;
  sectionEndpoint(view, { ...definition, body: { ...body, wrapped: part }, errors }, (c) =>
    change(c.get("draft"), c.req.valid("param").name, c.req.valid("json")),
  );
}

changes("tags", "Replace the tags of a view", { schema: tags }, (draft, name, sent) =>
  changeView(draft, name, { tags: [...new Set(sent)] }),
);
changes("enabled", "Enable or disable a view", { schema: z.boolean() }, (draft, name, enabled) =>
  changeView(draft, name, { enabled }),
);
changes(
  "texts",
  "Change text elements of a view, by id or as a list of elements; null removes one",
  { schema: texts as unknown as z.ZodType<Json>, stored: storedMember("texts") },
  patchTexts,
);
changes(
  "settings",
  "Change settings of a view; null removes one",
  { schema: settings as unknown as z.ZodType<JsonObject>, stored: storedMember("settings") },
  patchSettings,
);
changes(
  "name",
  "Rename a view; its place stays, references to it are not followed",
  { schema: z.string().regex(shortName, "malformed name") },
  renameView,
  [409],
);
