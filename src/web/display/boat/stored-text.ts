/**
 * Texts of stored values for sentences about a change: numbers with their units and choices in words, by the schemas, and
 * limits of the crew's own.
 */
import { MARKS } from "../../../core/report/json-schema.ts";
import { crewUnit } from "../instruments/crew-unit.ts";
import type { UnitChoice } from "../instruments/units.ts";
import { numberText as written } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import { settingText } from "../languages/setting-texts.ts";
import { complaintText } from "./complaint.ts";
import { formEntries } from "./entries.ts";

export { complaintText, entryTitle } from "./complaint.ts";
export { limitRowText } from "./limit-row-text.ts";

/** The members of the settings that hub-cand would ignore, in the words of the forms. */
export const complaintsAbout = (entryOf: (name: string) => Readonly<Record<string, unknown>>): readonly string[] =>
  formEntries.flatMap(({ name, title, warnings }) => {
    const entry = entryOf(name);
    return warnings(entry).map((each) =>
      say("{what}: {text}", { what: said(title), text: complaintText(each, entry) }),
    );
  });

/**
 * A number at a path as it is stored and as the crew reads it, or a choice.
 *
 * @example storedText(feet)(["settings", "alarms", "depth", "limit"], 3) // "3 m (9.84 ft)"
 */
export const storedText =
  (units: UnitChoice) =>
  ([section, entry, ...members]: readonly string[], value: unknown): string | undefined => {
    const form = section === "settings" ? formEntries.find(({ name }) => name === entry) : undefined;
    const schema = members.reduce((of, name) => of?.properties?.[name], form?.schema);
    if (typeof value === "string" && schema?.enum?.includes(value)) return settingText(value);
    const { unit } = schema?.[MARKS] ?? {};
    if (unit === undefined || typeof value !== "number") return undefined;
    const crew = crewUnit({ unit, kind: members[0] }, units);
    return `${written(String(value))}\u202f${unit}${crew === undefined ? "" : ` (${crew.text(value)})`}`;
  };
