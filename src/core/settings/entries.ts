/** The entries of `settings` that hub-cand reads: for its parts, for the form of the display and for the reference. */
import { alarmSettings } from "../alarms/settings.ts";
import { canSettings } from "../n2k/layout-modes.ts";
import { navigationSettings } from "../nav/settings.ts";
import type { SettingsEntry } from "../report/read-entry.ts";
import { laneSettings } from "./lanes.ts";
import { nameSettings } from "./names.ts";
import { networkSettings } from "./networks.ts";
import { sensorSettings } from "./sensors.ts";

export const entries = {
  navigation: navigationSettings,
  names: nameSettings,
  alarms: alarmSettings,
  lanes: laneSettings,
  can: canSettings,
  networks: networkSettings,
  sensors: sensorSettings,
} as const;

/** All entries in the order of the reference. */
export const settingsEntries: readonly SettingsEntry<unknown>[] = Object.values(entries);
