/** Distances that the boat watches, for the plot. They are known on board, from the deployed configuration. */
import { signal } from "@preact/signals";
import { GUARD_RADIUS, LEG_DISTANCE } from "../../../core/alarms/constants.ts";
import { currentAlarms } from "./alarms.ts";

/** The entry of the settings with the limits of the watches. */
export const ALARMS = "alarms";

/** The entry in force; undefined until it has been read. */
export const alarmSettings = signal<Readonly<Record<string, unknown>>>();

/** The member of each watch that is a distance, and its value unless the crew sets another. */
const standards = {
  guardZone: { member: "radius", miles: GUARD_RADIUS },
  crossTrack: { member: "limit", miles: LEG_DISTANCE },
} as const;

/** The distance of a watch in nautical miles; undefined where it is off, or not known here. */
export function watchedMiles(kind: keyof typeof standards, now: number): number | undefined {
  const state = currentAlarms(now)?.watching?.[kind];
  if (state === undefined || state === "off" || alarmSettings.value === undefined) return undefined;
  const { member, miles } = standards[kind];
  const set = (alarmSettings.value[kind] as Readonly<Record<string, unknown>> | undefined)?.[member];
  return typeof set === "number" ? set : miles;
}
