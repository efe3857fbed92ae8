/**
 * Commissioning: each group is one question asked when a boat is commissioned, each of its rules says which muxing entries
 * belong to one answer. The answers are applied when a project is duplicated.
 */
import * as z from "zod";
import { type Draft, type Entry, entriesOf, findEntry, listIn } from "../document.ts";
import { entries, needEntry, storeEntry } from "../entries.ts";
import { type JsonObject, own } from "../json.ts";
import { type Operation, operation } from "../operation.ts";
import { Refusal } from "../refusal.ts";
import { segments } from "../segments.ts";
import { deleteMuxing, namesIn } from "./muxing.ts";

const feature = "commissioning";

const rule = z.looseObject({
  option: z.string().min(1, "expected a text"),
  muxing: z.array(z.string().refine((name) => segments.name.read(name) !== undefined, "malformed name")),
});

const group = z.looseObject({ rules: z.array(rule).optional() });

const setRules = (draft: Draft, before: Entry, rules: readonly JsonObject[]): Entry => {
  const after = { ...before, rules };
  storeEntry(draft, "commissioning", "groupId", after);
  return after;
};

export const commissioning: readonly Operation[] = [
  ...entries("commissioning", {
    key: "groupId",
    segment: "groupId",
    schema: group,
    complete: (entry) => (own(entry, "rules") === undefined ? { ...entry, rules: [] } : entry),
  }),
  operation({
    feature,
    method: "PUT",
    path: "/project/{id}/commissioning/{groupId}/rules",
    summary: "Append one rule to a group",
    success: 201,
    body: { schema: rule as unknown as z.ZodType<JsonObject> },
    answer: group,
    run(draft, { groupId }, body) {
      const before = needEntry(draft, "commissioning", "groupId", groupId);
      return { json: setRules(draft, before, [...listIn(before, "rules"), body]) };
    },
  }),
  operation({
    feature,
    method: "DELETE",
    path: "/project/{id}/commissioning/{groupId}/rules/{index}",
    summary: "Remove the rule at a place in a group",
    success: 201,
    answer: group,
    run(draft, { groupId, index }) {
      const before = needEntry(draft, "commissioning", "groupId", groupId);
      const rules = listIn(before, "rules");
      if (index >= rules.length) throw new Refusal(400, segments.index.complaint);
      return { json: setRules(draft, before, rules.toSpliced(index, 1)) };
    },
  }),
];

/** The answers given when a boat is commissioned, group to option. */
export const commissioningAnswers = z.record(z.string(), z.string());

/**
 * Applies answers to a copy of a project: of each answered group, muxing entries that only other options name are deleted.
 * Refuses an unknown group or option before anything is changed.
 */
export function commission(draft: Draft, answers: Readonly<Record<string, string>>): void {
  const decisions = Object.entries(answers).map(([groupId, option]) => {
    const found = findEntry(entriesOf(draft.project, "commissioning"), "groupId", groupId);
    if (found === undefined) throw new Refusal(400, `invalid commissioning.${groupId.slice(0, 80)}: no such group`);
    const rules = listIn(found, "rules");
    const chosen = rules.filter((rule) => own(rule, "option") === option);
    if (chosen.length === 0) throw new Refusal(400, `invalid commissioning.${groupId.slice(0, 80)}: no such option`);
    const kept = new Set(chosen.flatMap(namesIn));
    const dropped = new Set(rules.flatMap(namesIn).filter((name) => !kept.has(name)));
    return { groupId, option, kept, dropped };
  });
  for (const { groupId, option, kept, dropped } of decisions) {
    const answered = needEntry(draft, "commissioning", "groupId", groupId);
    storeEntry(draft, "commissioning", "groupId", { ...answered, selected: option });
    for (const name of kept) draft.notes.push(`commissioning: ${groupId}=${option} keeps ${name}`);
    for (const name of dropped) {
      draft.notes.push(`commissioning: ${groupId}=${option} removes ${name}`);
      if (findEntry(entriesOf(draft.project, "muxing"), "name", name) !== undefined) deleteMuxing(draft, name);
    }
  }
}
