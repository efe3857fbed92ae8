/** The sentences of findings in the language and the units of the crew. */
import { durationWords, type Sentence, type SentenceValue, sentenceWith } from "../../../core/findings/sentence.ts";
import { settings } from "../data/settings.ts";
import { crewText } from "../instruments/crew-unit.ts";
import { momentText } from "../instruments/moments.ts";
import { daysText, dayText, formatLanguage, numberText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";

/** British English writes lists without a comma before the last one, as hub-cand does. */
const listLanguage = (): string => (formatLanguage.peek() === "en" ? "en-GB" : formatLanguage.peek());

function wordsOf({ text, list, date, number, unit, kind }: SentenceValue): string {
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

/** The measurement of a finding. */
export interface Measured {
  readonly measured: string;
  readonly sentence?: Sentence | undefined;
  readonly network?: string | undefined;
}

/** The measurement as text; a hub-cand of an older version has it in English alone. */
export function measuredText({ measured, sentence, network }: Measured): string {
  if (sentence === undefined) return measured;
  const text = sentenceText(sentence);
  return network === undefined ? text : `${text} (${say("network {name}", { name: network })})`;
}
