/** The parts of the bridge that the entries of the deployed settings configure. */
import type { EntryReading } from "../report/read-entry.ts";

export interface SettingsPart {
  /** Name of the entry. */
  readonly entry: string;
  /** Applies the entry if it has changed and returns its warnings; undefined if it has not. */
  configure(entry: unknown): readonly string[] | undefined;
}

/** A part: `read` reads its entry, given the settings in force, which begin as `byDefault`; `apply` puts new ones in force. */
export function settingsPart<Settings>(
  entry: string,
  byDefault: Settings,
  read: (entry: unknown, before: Settings) => EntryReading<Settings>,
  apply: (settings: Settings) => void,
): SettingsPart {
  let inForce = byDefault;
  let text: string | undefined;
  return {
    entry,
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
