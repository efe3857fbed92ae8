/**
 * Sentences of findings and alarms: an English text with `{1}`, `{2}` in the places of its values, so that the display
 * says them in the language and the units of its crew. They end without a full stop.
 */
import { filled } from "./filled.ts";
import { fixed } from "./quantity.ts";

export const sentenceUnits = ["s", "m", "kn", "deg", "°C", "kPa"] as const;
export const sentenceKinds = ["depth", "address"] as const;

/** One of the first five members: a name, a word of a table, a list of names, a day or a time, a number with its unit. */
export interface SentenceValue {
  readonly text?: string | undefined;
  readonly word?: string | undefined;
  readonly list?: readonly string[] | undefined;
  readonly date?: string | undefined;
  readonly number?: number | undefined;
  readonly unit?: (typeof sentenceUnits)[number] | undefined;
  /** A depth, which is in other units than lengths, or the address of a device. */
  readonly kind?: (typeof sentenceKinds)[number] | undefined;
}

export interface Sentence {
  readonly text: string;
  readonly values: readonly SentenceValue[];
}

/** A value in a template; a string is a name. */
export type Value = string | number | readonly string[] | SentenceValue;

const isList = (value: Value): value is readonly string[] => Array.isArray(value);

function memberOf(value: Value): SentenceValue {
  if (typeof value === "string") return { text: value };
  if (typeof value === "number") return { number: value };
  return isList(value) ? { list: value } : value;
}

/** The tag of a template: one call has one text, so that a test finds the texts in the source. */
export const sentence = (texts: TemplateStringsArray, ...values: readonly Value[]): Sentence => ({
  text: texts.reduce((text, part, index) => `${text}{${index}}${part}`),
  values: values.map(memberOf),
});

/** A text of a table, which has no values. */
export const named = (text: string): Sentence => ({ text, values: [] });

/** The words of another one, which nobody translates. */
export const verbatim = (text: string): Sentence => sentence`${text}`;

/** The "and" of a list is translated. */
export const isVerbatim = ({ text, values }: Sentence): boolean => text === "{1}" && values[0]?.list === undefined;

export const duration = (milliseconds: number): SentenceValue => ({ number: milliseconds / 1000, unit: "s" });

/** Without the sign of a nought. */
const rounded = (value: number, decimals: number): number => Number(fixed(value, decimals));

export const inMetres = (value: number): SentenceValue => ({ number: Math.round(value), unit: "m" });

export const depthOf = (value: number): SentenceValue => ({ number: rounded(value, 1), unit: "m", kind: "depth" });

export const inKnots = (value: number): SentenceValue => ({ number: rounded(value, 1), unit: "kn" });

export const degrees = (value: number): SentenceValue => ({ number: Math.round(value), unit: "deg" });

/** The day of a time; a baseline may lack its time. */
export const dayOf = (moment: string | undefined): SentenceValue => ({ date: moment?.slice(0, 10) ?? "" });

/** Seconds in words: 0.25 s, 12 s, 3 min, 3 h, 5 days. */
export function durationWords(seconds: number, daysText = (count: number): string => `${count} days`): string {
  if (seconds >= 2 * 86_400) return daysText(Math.round(seconds / 86_400));
  if (seconds >= 7200) return `${Math.round(seconds / 3600)} h`;
  if (seconds >= 120) return `${Math.round(seconds / 60)} min`;
  if (seconds >= 10) return `${Math.round(seconds)} s`;
  return `${Number(seconds.toPrecision(2))} s`;
}

const units = { m: " m", kn: " knots", deg: "°", "°C": " °C", kPa: " kPa" } as const;

export const listOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

function wordsOf({ text, word = text, list, date, number, unit }: SentenceValue): string {
  if (word !== undefined) return word;
  if (list !== undefined) return listOf(list);
  if (date !== undefined || number === undefined) return date ?? "";
  if (unit === undefined) return String(number);
  return unit === "s" ? durationWords(number) : `${number}${units[unit]}`;
}

/** The sentence with the words of its values, by their numbers. */
export const sentenceWith = (
  { text, values }: Sentence,
  words: (value: SentenceValue) => string,
  translated = text,
  language = "en",
): string => filled(translated, Object.fromEntries(values.map((value, index) => [index + 1, words(value)])), language);

export const english = (sentence: Sentence): string => sentenceWith(sentence, wordsOf);

/** Sentences as the parts of one text. */
export const englishParts = (sentences: readonly Sentence[]): string => sentences.map(english).join(", ");
