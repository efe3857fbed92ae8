/**
 * Translations of the descriptions, members and choices in the schemas of the settings. Only forms and lists of changes
 * show them, so their catalogues are files of their own, which are loaded with the first form.
 */
import { signal } from "@preact/signals";
import { filled } from "../../../core/text/filled.ts";
import { catalogueOf, said } from "./say.ts";

const isWanted = signal(false);
const catalogue = catalogueOf(({ loadSettings }) => (isWanted.value ? loadSettings : undefined));

export function wantSettingTexts(): void {
  isWanted.value = true;
}

/** A text of a schema; the English one where the catalogue lacks it. Follows the language, unlike `said`. */
export const settingText = (text: string, values: Readonly<Record<string, string>> = {}): string =>
  filled(catalogue.value[text] ?? said(text), values);

/** The name of a member in words: `ownMmsi` is "own mmsi". */
export const wordsOf = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

export const memberText = (name: string): string => settingText(wordsOf(name));

/** With a capital letter at its beginning. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
