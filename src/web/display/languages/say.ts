/**
 * Texts of the display in the language of the crew. The English text is its own key, so that pages stay readable and
 * English needs no catalogue; the compiler refuses a text that the catalogues lack, and a value that the text lacks.
 */
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { filled } from "../../../core/text/filled.ts";
import { settings } from "../data/settings.ts";
import { formatLanguage } from "./formats.ts";
import { type LanguageName, languageOf, preferredLanguage } from "./languages.ts";
import { type Placeholders, type Text, textIn, type ValuesOf } from "./texts.ts";

/** The language that is chosen, or else that of the browser. */
export const language = computed<LanguageName>(() => {
  const { language: chosen } = settings.value;
  return chosen === "browser" ? preferredLanguage(globalThis.navigator?.languages ?? []) : chosen;
});

effect(() => {
  formatLanguage.value = language.value;
});

type Texts = Partial<Readonly<Record<string, string>>>;

/** French has spaces before signs, at which no line may break. */
const withHardSpaces = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, text?.replaceAll(/ (?=[;:!?»])/g, "\u00a0")]));

/** One of the catalogues of the language: that of before until it has come, and none if it does not come. */
export function catalogueOf(
  loaderOf: (of: ReturnType<typeof languageOf>) => (() => Promise<Texts>) | undefined,
): ReadonlySignal<Texts> {
  const texts = signal<Texts>({});
  effect(() => {
    const name = language.value;
    const use = (loaded: Texts): void => {
      if (language.peek() === name) texts.value = withHardSpaces(loaded);
    };
    const load = loaderOf(languageOf(name));
    if (load === undefined) use({});
    else void load().then(use, () => use({}));
  });
  return texts;
}

const catalogue = catalogueOf(({ load }) => load);

/** The catalogue in force, for the frame, which draws the page anew when it changes. */
export const spoken: ReadonlySignal<object> = catalogue;

/**
 * A text of another program, such as the title of an alarm: translated if the catalogue has it. Reads no signal: a
 * component that reads one is not drawn with the component around it any more, and most show what only that one follows.
 */
export const said = (text: string): string => textIn(catalogue.peek(), text) ?? text;

export function say<Of extends Text>(
  text: Of,
  ...[values]: Placeholders<Of> extends never ? [] : [ValuesOf<Of>]
): string {
  const translated = said(text);
  if (values === undefined) return translated;
  return filled(translated, values as Readonly<Record<string, string | number>>, formatLanguage.peek());
}
