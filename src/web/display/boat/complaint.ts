/** Warnings of hub-cand about settings that it cannot use, with the names that the forms have. */
import type { JsonSchema } from "../../../core/report/json-schema.ts";
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

/** The title of an entry of the settings. */
export const entryTitle = (name: string): string =>
  said(settingsEntries.find((each) => each.name === name)?.title ?? name);

/**
 * A warning of hub-cand, with the names of its members in words; `rows` are those of the crew's own limits.
 *
 * @example complaintText("windDamping must be 0 or more") // "wind damping: not usable (must be 0 or more)"
 */
export function complaintText(warning: string, rows?: unknown): string {
  const [, at, why] = /^limits rows (\d+) (.*?)(?: \(.*\))?$/.exec(warning) ?? [];
  const limit = at === undefined || !Array.isArray(rows) ? undefined : String(rows[Number(at)]?.text ?? "");
  if (limit !== undefined) {
    if (why === "needs above or below, or is")
      return say("{limit}: type a number above or below which it rings", { limit });
    if (why === "needs above over below") return say("{limit}: the number above has to be the greater one", { limit });
    if (why === "has the id of a row above") return say("{limit}: remove this row and add it once more", { limit });
  }
  const found = [...warning.matchAll(/\S+/g)];
  const words = found.map(([word]) => word.replace(/:$/, ""));
  const last = words.findIndex((word, index) => !members.has(word) && !(index > 0 && /^(row|\d+)$/.test(word)));
  const isNumbered = last > 1;
  const place = words.slice(0, last).filter((word) => word !== "row" && !(isNumbered && word === "rows"));
  if (last < 0 || place.length === 0) return warning;
  return say("{what}: not usable ({why})", {
    what: place
      .map((word) => (/^\d+$/.test(word) ? say("no. {number}", { number: word }) : memberText(word)))
      .join(", "),
    why: warning.slice(found[last]!.index),
  });
}
