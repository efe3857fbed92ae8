/**
 * Commissioning: a group is one question asked when a boat is commissioned, and each of its rules names the muxing
 * entries of one answer. Answers are applied when a project is duplicated.
 */
import { type Draft, listIn } from "./document.ts";
import { needEntry } from "./entries.ts";
import { own } from "./json.ts";
import { deleteMuxingEntry, muxingNamesOf } from "./muxing-rules.ts";
import { Refusal } from "./refusal.ts";

/**
 * Applies answers, group id to option: of each answered group, the muxing entries that only other options name are
 * deleted. Refuses an unknown group or option with 400 before anything is changed.
 *
 * @example
 * applyAnswers(draft, { thruster: "none" });
 */
export function applyAnswers(draft: Draft, answers: Readonly<Record<string, string>>): void {
  const decisions = Object.entries(answers).map(([groupId, option]) => {
    const found = draft.find("commissioning", groupId);
    if (found === undefined) throw new Refusal(400, `invalid commissioning.${groupId.slice(0, 80)}: no such group`);
    const rules = listIn(found, "rules");
    const chosen = rules.filter((rule) => own(rule, "option") === option);
    if (chosen.length === 0) throw new Refusal(400, `invalid commissioning.${groupId.slice(0, 80)}: no such option`);
    const kept = new Set(chosen.flatMap(muxingNamesOf));
    const dropped = new Set(rules.flatMap(muxingNamesOf).filter((name) => !kept.has(name)));
    return { groupId, option, kept, dropped };
  });
  for (const { groupId, option, kept, dropped } of decisions) {
    const answered = needEntry(draft, "commissioning", groupId);
    draft.put("commissioning", { ...answered, selected: option });
    for (const name of kept) draft.notes.push(`commissioning: ${groupId}=${option} keeps ${name}`);
    for (const name of dropped) {
      draft.notes.push(`commissioning: ${groupId}=${option} removes ${name}`);
      deleteMuxingEntry(draft, name);
    }
  }
}
