/** Days and times in the time zone of the crew: `2026-11-28 13:09:05 UTC`. */

import { settings } from "../data/settings.ts";
import { dayText } from "../languages/formats.ts";
import { dateTimeText } from "./units.ts";

export const zoneText = (): string => (settings.value.timeZone === "UTC" ? "UTC" : "LT");

/** The zone at a moment with its distance from UTC, as for a paper: `LT (GMT+2)`. */
export function offsetText(moment: number): string {
  if (settings.value.timeZone === "UTC") return "UTC";
  const parts = new Intl.DateTimeFormat("en", { timeZoneName: "longOffset" }).formatToParts(moment);
  return `LT (${parts.find(({ type }) => type === "timeZoneName")?.value ?? ""})`;
}

/** Day and time of a moment, by milliseconds since 1970 or a date that JavaScript can parse. */
export function dayAndTime(moment: string | number): readonly [day: string, time: string] {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return [String(moment), ""];
  const iso = date.toISOString();
  const { date: day, time } = dateTimeText(iso.slice(0, 10), iso.slice(11, 19), settings.value.timeZone);
  return [day, time];
}

export function momentText(moment: string | number): string {
  const [day, time] = dayAndTime(moment);
  return `${dayText(day)} ${time} ${zoneText()}`;
}

/** The time of a moment without its day. */
export const timeText = (moment: string | number): string => `${dayAndTime(moment)[1]} ${zoneText()}`;
