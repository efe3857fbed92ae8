/**
 * What the display says, in the language of the crew. The English text is its own key, so that pages stay readable and
 * English needs no catalogue; the compiler refuses a text that the catalogues lack, and a value that the text lacks.
 */
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { filled } from "../../../core/text/filled.ts";
import { settings } from "../data/settings.ts";
import { formatLanguage } from "./formats.ts";
import { type LanguageName, languageOf, preferredLanguage } from "./languages.ts";
import type { Placeholders, Text, ValuesOf } from "./texts.ts";

/** The language that is chosen, or else that of the browser. */
export const language = computed<LanguageName>(() => {
  const { language: chosen } = settings.value;
  return chosen === "browser" ? preferredLanguage(globalThis.navigator?.languages ?? []) : chosen;
});

/** The catalogue of the language; English until it has come. */
const catalogue = signal<Partial<Readonly<Record<string, string>>>>({});

effect(() => {
  const name = language.value;
  const { load } = languageOf(name);
  formatLanguage.value = name;
  if (load === undefined) catalogue.value = {};
  else
    void load().then(
      (loaded) => {
        if (language.peek() === name) catalogue.value = loaded;
      },
      // Without its file the display speaks English.
      () => {},
    );
});

/** The catalogue in force, for the frame, which draws the page anew when it changes. */
export const spoken: ReadonlySignal<object> = catalogue;

/**
 * A text of another program, such as the title of an alarm: translated if the catalogue has it. Reads no signal: a
 * component that reads one is not drawn with the component around it any more, and most show what only that one follows.
 */
export const said = (text: string): string => catalogue.peek()[text] ?? text;

export function say<Of extends Text>(
  text: Of,
  ...[values]: Placeholders<Of> extends never ? [] : [ValuesOf<Of>]
): string {
  const translated = said(text);
  if (values === undefined) return translated;
  return filled(translated, values as Readonly<Record<string, string | number>>, formatLanguage.peek());
}
