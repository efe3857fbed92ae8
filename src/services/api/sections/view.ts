/** Views: pages of the displays; their parts can be changed separately. */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Entry } from "../../../core/project/document.ts";
import { type Json, type JsonObject, own } from "../../../core/project/json.ts";
import { shortName } from "../../../core/project/names.ts";
import { changeView, patchSettings, patchTexts, renameView, withoutBody } from "../../../core/project/views.ts";
import { section, sectionEndpoint } from "./section.ts";

const family = "view";

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

sectionEndpoint(
  view,
  {
    family,
    method: "put",
    path: "/view/{name}/tags",
    summary: "Replace the tags of a view",
    success: 200,
    body: { schema: tags, wrapped: "tags" },
    response: stripped,
  },
  (c) => changeView(c.get("draft"), c.req.valid("param").name, { tags: [...new Set(c.req.valid("json"))] }),
);

sectionEndpoint(
  view,
  {
    family,
    method: "put",
    path: "/view/{name}/enabled",
    summary: "Enable or disable a view",
    success: 200,
    body: { schema: z.boolean(), wrapped: "enabled" },
    response: stripped,
  },
  (c) => changeView(c.get("draft"), c.req.valid("param").name, { enabled: c.req.valid("json") }),
);

sectionEndpoint(
  view,
  {
    family,
    method: "put",
    path: "/view/{name}/texts",
    summary: "Change text elements of a view, by id or as a list of elements; null removes one",
    success: 200,
    body: { schema: texts as unknown as z.ZodType<Json>, wrapped: "texts", stored: storedMember("texts") },
    response: stripped,
  },
  (c) => patchTexts(c.get("draft"), c.req.valid("param").name, c.req.valid("json")),
);

sectionEndpoint(
  view,
  {
    family,
    method: "put",
    path: "/view/{name}/settings",
    summary: "Change settings of a view; null removes one",
    success: 200,
    body: {
      schema: settings as unknown as z.ZodType<JsonObject>,
      wrapped: "settings",
      stored: storedMember("settings"),
    },
    response: stripped,
  },
  (c) => patchSettings(c.get("draft"), c.req.valid("param").name, c.req.valid("json")),
);

sectionEndpoint(
  view,
  {
    family,
    method: "put",
    path: "/view/{name}/name",
    summary: "Rename a view; its place stays, references to it are not followed",
    success: 200,
    body: { schema: z.string().regex(shortName, "malformed name"), wrapped: "name" },
    response: stripped,
    errors: [409],
  },
  (c) => renameView(c.get("draft"), c.req.valid("param").name, c.req.valid("json")),
);
