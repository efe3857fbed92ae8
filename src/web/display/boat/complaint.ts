/** Warnings of hub-cand about settings that it cannot use, with the names that the forms have. */
import type { JsonSchema } from "../../../core/report/json-schema.ts";
import type { Warning } from "../../../core/report/read-entry.ts";
import { settingsEntries } from "../../../core/settings/entries.ts";
import { said, say } from "../languages/say.ts";
import { memberText } from "../languages/setting-texts.ts";
import { formEntries } from "./entries.ts";

function* membersOf({ properties = {}, items, additionalProperties }: JsonSchema): Iterable<string> {
  for (const [name, of] of Object.entries(properties)) {
    yield name;
    yield* membersOf(of);
  }
  for (const of of [items, additionalProperties]) if (typeof of === "object") yield* membersOf(of);
}

const members: ReadonlySet<string> = new Set(formEntries.flatMap(({ schema }) => [...membersOf(schema)]));

export const entryTitle = (name: string): string =>
  said(settingsEntries.find((each) => each.name === name)?.title ?? name);

/** The place in words. A row of a list that has a text or a name is called by it alone. */
function placeText(path: Warning["path"], entry: unknown): string {
  let at = entry as Readonly<Record<string, unknown>> | undefined;
  const words: string[] = [];
  path.forEach((step, index) => {
    at = at?.[step] as typeof at;
    const { text, name = text } = { ...at };
    if (typeof step === "string") words.push(members.has(step) ? memberText(step) : step);
    else if (typeof name === "string" && name !== "") words.splice(0, words.length, name);
    else {
      if (index > 1 && path[index - 1] === "rows") words.pop();
      words.push(say("no. {number}", { number: String(step + 1) }));
    }
  });
  return words.join(", ");
}

/**
 * A warning of hub-cand in words; `entry` has the values that it is about.
 *
 * @example complaintText({ path: ["windDamping"], problem: "must be 0 or more" }) // "wind damping: not usable (must …)"
 */
export const complaintText = ({ path, problem }: Warning, entry?: unknown): string =>
  path.length === 0
    ? said(problem)
    : say("{what}: not usable ({why})", { what: placeText(path, entry), why: said(problem) });
