/** The sentences of findings and alarms in the language and the units of the crew. */
import { durationWords, type Sentence, type SentenceValue, sentenceWith } from "../../../core/text/sentence.ts";
import { settings } from "../data/settings.ts";
import { crewText } from "../instruments/crew-unit.ts";
import { momentText } from "../instruments/moments.ts";
import { daysText, dayText, formatLanguage, numberText } from "./formats.ts";
import { said } from "./say.ts";

/** British English writes lists without a comma before the last one, as hub-cand does. */
const listLanguage = (): string => (formatLanguage.peek() === "en" ? "en-GB" : formatLanguage.peek());

function wordsOf({ text, word, list, date, number, unit, kind }: SentenceValue): string {
  if (word !== undefined) return said(word);
  if (text !== undefined) return text;
  if (list !== undefined) return new Intl.ListFormat(listLanguage()).format(list);
  if (date !== undefined) return /^\d{4}-\d\d-\d\d$/.test(date) ? dayText(date) : momentText(date);
  if (number === undefined) return "";
  if (unit === "s") return numberText(durationWords(number, formatLanguage.peek() === "en" ? undefined : daysText));
  if (unit === "deg") return `${number}°`;
  return crewText({ unit, kind }, settings.value.units, number) ?? numberText(String(number));
}

export const sentenceText = (sentence: Sentence): string =>
  sentenceWith(sentence, wordsOf, said(sentence.text), formatLanguage.peek());
