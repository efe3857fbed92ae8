/** The parts of the bridge that the entries of the deployed settings configure. */
import type { SettingsEntry, Warning } from "../../core/report/read-entry.ts";

export interface SettingsPart {
  readonly entry: string;
  /** Applies the entry if it has changed and returns its warnings; undefined if it has not. */
  configure(entry: unknown): readonly Warning[] | undefined;
}

/** A part whose new settings `apply` puts in force. */
export function settingsPart<Settings>(
  { name, byDefault, read }: SettingsEntry<Settings>,
  apply: (settings: Settings) => void,
): SettingsPart {
  let inForce = byDefault;
  let text: string | undefined;
  return {
    entry: name,
    configure(value) {
      const next = JSON.stringify(value) ?? "";
      if (next === text) return undefined;
      text = next;
      const { settings, warnings } = read(value, inForce);
      inForce = settings;
      apply(settings);
      return warnings;
    },
  };
}
