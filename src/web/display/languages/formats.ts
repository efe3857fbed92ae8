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

/** The letters of a number of bytes: MB, Mo. */
export function bytesUnit(name: "byte" | "kilobyte" | "megabyte" | "gigabyte"): string {
  const unit = { style: "unit", unit: name, unitDisplay: "narrow" } as const;
  const parts = new Intl.NumberFormat(formatLanguage.peek(), unit).formatToParts(0);
  return parts.find(({ type }) => type === "unit")!.value;
}

/** The word for days, short: 5 j, 5 Tg., 5 gg. */
const dayWord = (count: number): string =>
  (["short", "narrow"] as const)
    .map((unitDisplay) => new Intl.NumberFormat(formatLanguage.peek(), { style: "unit", unit: "day", unitDisplay }))
    .map((format) => format.formatToParts(count).find(({ type }) => type === "unit")!.value)
    .reduce((short, narrow) => (short.length > 3 ? narrow : short));

export const daysText = (count: string | number): string =>
  `${numberText(String(count))}\u202f${formatLanguage.peek() === "en" ? "d" : dayWord(Number(count))}`;

/** A duration by its English text; no line ends before its unit: 2,2 s, 45 min, 5 j. */
export const inDays = (text: string): string =>
  numberText(text)
    .replace(/([\d.]+) d$/, (_, count: string) => daysText(count))
    .replace(/ (s|min|h)$/, "\u202f$1");

/** A duration: 2,2 s, 45 min. */
export const durationText = (seconds: number): string => inDays(englishDuration(seconds));
