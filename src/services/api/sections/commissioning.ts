/**
 * Commissioning groups and their rules. A rule is any object; `option` and `muxing` are used if they have the expected
 * shape.
 */
import { z } from "@hono/zod-openapi";
import { type Draft, type Entry, listIn } from "../../../core/project/document.ts";
import { needEntry } from "../../../core/project/entries.ts";
import { type JsonObject, own } from "../../../core/project/json.ts";
import { Refusal } from "../../../core/project/refusal.ts";
import { section, sectionEndpoint } from "./section.ts";

const family = "commissioning";

const rule = z.looseObject({
  option: z.unknown().optional().openapi({ description: "The answer to the question of the group, a text" }),
  muxing: z.unknown().optional().openapi({ description: "A muxing entry or a list of them, by name" }),
});
const group = z.looseObject({ rules: z.array(rule).nullish() });

const setRules = (draft: Draft, before: Entry, rules: readonly JsonObject[]): Entry => {
  const after = { ...before, rules };
  draft.put("commissioning", after);
  return after;
};

export const commissioning = section("commissioning", {
  parameter: "groupId",
  schema: group as unknown as z.ZodType<JsonObject>,
  complete: (entry) => ({ ...entry, rules: own(entry, "rules") ?? [] }),
});

sectionEndpoint(
  commissioning,
  {
    family,
    method: "put",
    path: "/commissioning/{groupId}/rules",
    summary: "Append one rule to a group",
    body: { schema: rule as unknown as z.ZodType<JsonObject> },
    response: group,
  },
  (c) => {
    const before = needEntry(c.get("draft"), "commissioning", c.req.valid("param").groupId);
    return setRules(c.get("draft"), before, [...listIn(before, "rules"), c.req.valid("json")]);
  },
);

sectionEndpoint(
  commissioning,
  {
    family,
    method: "delete",
    path: "/commissioning/{groupId}/rules/{index}",
    summary: "Remove the rule at a place in a group",
    success: 201,
    response: group,
  },
  (c) => {
    const { groupId, index } = c.req.valid("param");
    const before = needEntry(c.get("draft"), "commissioning", groupId);
    const rules = listIn(before, "rules");
    if (index >= rules.length) throw new Refusal(400, "malformed index");
    return setRules(c.get("draft"), before, rules.toSpliced(index, 1));
  },
);
