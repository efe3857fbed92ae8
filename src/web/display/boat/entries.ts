/** The schemas of the settings, in a part of the bundle that only forms load. */
import { type JsonSchema, jsonSchemaOf } from "../../../core/report/json-schema.ts";
import type { Warning } from "../../../core/report/read-entry.ts";
import { settingsEntries } from "../../../core/settings/entries.ts";
import { wantSettingTexts } from "../languages/setting-texts.ts";

wantSettingTexts();

export interface FormEntry {
  readonly name: string;
  readonly title: string;
  readonly schema: JsonSchema;
  /** Warnings that hub-cand would log about an entry. */
  readonly warnings: (entry: unknown) => readonly Warning[];
}

export const formEntries: readonly FormEntry[] = settingsEntries.map(({ name, title, schema, read }) => ({
  name,
  title,
  schema: jsonSchemaOf(schema),
  warnings: (entry) => read(entry).warnings,
}));
