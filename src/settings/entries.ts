/** The entries of `settings` that hub-cand reads: for the form of the display and for the reference. */
import type * as z from "zod";
import { alarmsEntry, readAlarmSettings } from "../alarms/settings.ts";
import { canEntry, readCanSettings } from "../n2k/layout-modes.ts";
import { navigationEntry, readNavigationSettings } from "../nav/settings.ts";
import { lanesEntry, readLaneSettings } from "./lanes.ts";
import { namesEntry, readNameSettings } from "./names.ts";

export interface SettingsEntry {
  readonly name: string;
  readonly title: string;
  readonly schema: z.ZodType;
  /** Warnings that hub-cand would log about an entry. */
  readonly warnings: (entry: unknown) => readonly string[];
}

export const settingsEntries: readonly SettingsEntry[] = [
  {
    name: "navigation",
    title: "Navigation",
    schema: navigationEntry,
    warnings: (entry) => readNavigationSettings(entry).warnings,
  },
  { name: "names", title: "Names", schema: namesEntry, warnings: (entry) => readNameSettings(entry).warnings },
  { name: "alarms", title: "Alarms", schema: alarmsEntry, warnings: (entry) => readAlarmSettings(entry).warnings },
  { name: "lanes", title: "Slow lanes", schema: lanesEntry, warnings: (entry) => readLaneSettings(entry).warnings },
  {
    name: "can",
    title: "Assumed PGNs",
    schema: canEntry,
    warnings: (entry) => readCanSettings(entry).warnings,
  },
];
