/** Numbers and days as people of a language write them. English stays as the instruments have it: 4.2, 2026-11-28. */
import { computed, signal } from "@preact/signals";
import { durationText as englishDuration } from "../../../core/text/quantity.ts";

/** The tag of the language, of which the settings, and so the words, know more. */
export const formatLanguage = signal("en");

const decimalPoint = computed(
  () => new Intl.NumberFormat(formatLanguage.value).formatToParts(0.5).find(({ type }) => type === "decimal")?.value,
);

/** A number by its text with a point: 4,2. */
export const numberText = (text: string): string => text.replace(/(?<=\d)\.(?=\d)/, decimalPoint.peek() ?? ".");

/** A day by its ISO text: 28.11.2026. */
export function dayText(day: string): string {
  const moment = new Date(`${day}T00:00:00Z`);
  if (formatLanguage.peek() === "en" || Number.isNaN(moment.getTime())) return day;
  const form = { timeZone: "UTC", year: "numeric", month: "2-digit", day: "2-digit" } as const;
  return new Intl.DateTimeFormat(formatLanguage.peek(), form).format(moment);
}

/** A duration: 2,2 s, 45 min. */
export const durationText = (seconds: number): string => numberText(englishDuration(seconds));
