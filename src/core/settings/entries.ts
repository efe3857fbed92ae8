/** The entries of `settings` that hub-cand reads: for its parts, for the form of the display and for the reference. */
import type * as z from "zod";
import { alarmsEntry, defaultAlarmSettings, readAlarmSettings } from "../alarms/settings.ts";
import { canEntry, defaultCanSettings, readCanSettings } from "../n2k/layout-modes.ts";
import { defaultSettings, navigationEntry, readNavigationSettings } from "../nav/settings.ts";
import type { EntryReading } from "../report/read-entry.ts";
import { defaultLaneSettings, lanesEntry, readLaneSettings } from "./lanes.ts";
import { defaultNameSettings, namesEntry, readNameSettings } from "./names.ts";
import { defaultNetworkSettings, networksEntry, readNetworkSettings } from "./networks.ts";
import { defaultSensorSettings, readSensorSettings, sensorsEntry } from "./sensors.ts";

export interface SettingsEntry<Settings> {
  readonly name: string;
  readonly title: string;
  readonly schema: z.ZodType;
  /** Settings without the entry. */
  readonly byDefault: Settings;
  /** Settings of the entry, given those in force, and a warning for each part that cannot be used. */
  read(entry: unknown, before?: Settings): EntryReading<Settings>;
}

const entryOf = <Settings>(entry: SettingsEntry<Settings>) => entry;

export const entries = {
  navigation: entryOf({
    name: "navigation",
    title: "Navigation",
    schema: navigationEntry,
    byDefault: defaultSettings,
    read: readNavigationSettings,
  }),
  names: entryOf({
    name: "names",
    title: "Names",
    schema: namesEntry,
    byDefault: defaultNameSettings,
    read: readNameSettings,
  }),
  alarms: entryOf({
    name: "alarms",
    title: "Alarms",
    schema: alarmsEntry,
    byDefault: defaultAlarmSettings,
    read: readAlarmSettings,
  }),
  lanes: entryOf({
    name: "lanes",
    title: "Slow lanes",
    schema: lanesEntry,
    byDefault: defaultLaneSettings,
    read: readLaneSettings,
  }),
  can: entryOf({
    name: "can",
    title: "Assumed PGNs",
    schema: canEntry,
    byDefault: defaultCanSettings,
    read: readCanSettings,
  }),
  networks: entryOf({
    name: "networks",
    title: "Networks",
    schema: networksEntry,
    byDefault: defaultNetworkSettings,
    read: readNetworkSettings,
  }),
  sensors: entryOf({
    name: "sensors",
    title: "Sensors by MQTT",
    schema: sensorsEntry,
    byDefault: defaultSensorSettings,
    read: readSensorSettings,
  }),
} as const;

/** All entries in the order of the reference. */
export const settingsEntries: readonly SettingsEntry<unknown>[] = Object.values(entries);
