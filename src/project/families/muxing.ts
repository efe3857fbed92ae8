/** Muxing entries: switching rules that are laid over the parameters of devices as they are put and taken back as they go. */
import * as z from "zod";
import { type Draft, type Entry, entriesOf, listIn, setSection } from "../document.ts";
import { entries, removeEntry } from "../entries.ts";
import { own } from "../json.ts";
import { muxingConfig, settle } from "../settle.ts";

/** Deletes a muxing entry: its parameters get back what the rule covered, and commissioning rules forget its name. */
export function deleteMuxing(draft: Draft, name: string): void {
  removeEntry(draft, "muxing", "name", name);
  afterDelete(draft, name);
}

function afterDelete(draft: Draft, name: string): void {
  forgetName(draft, name);
  settle(draft);
}

/** The muxing entries a commissioning rule names. */
export function namesIn(rule: Entry): readonly string[] {
  const names = own(rule, "muxing");
  return Array.isArray(names) ? names : [];
}

/** A commissioning rule whose last name is taken away goes with it; one that never named anything stays. */
function forgetName(draft: Draft, name: string): void {
  const groups = entriesOf(draft.project, "commissioning");
  const changed = groups.map((group) => {
    const rules = listIn(group, "rules");
    if (!rules.some((rule) => namesIn(rule).includes(name))) return group;
    const kept = rules.flatMap((rule) => {
      if (!namesIn(rule).includes(name)) return [rule];
      const muxing = namesIn(rule).filter((other) => other !== name);
      return muxing.length === 0 ? [] : [{ ...rule, muxing }];
    });
    return { ...group, rules: kept };
  });
  if (changed.some((group, place) => group !== groups[place])) setSection(draft, "commissioning", changed);
}

export const muxing = entries("muxing", {
  schema: z.looseObject({ config: muxingConfig.optional() }),
  afterPut: settle,
  afterDelete,
});
