/**
 * The texts that the display says, as types. The first catalogue has them all: a text that it lacks is none. One that is
 * said with a small letter and with a capital is there once, with the small one.
 */
import { filled } from "../../../core/text/filled.ts";
import type { de } from "./de.ts";
import type { de as settings } from "./settings/de.ts";

export type Text = keyof typeof de | Capitalize<keyof typeof de>;
export type Catalogue = Readonly<Record<keyof typeof de, string>>;

/** The texts of the schemas of the settings, which are not typed there: a test finds those that are missing. */
export type SettingText = keyof typeof settings;
export type SettingCatalogue = Readonly<Record<SettingText, string>>;

/** The names in braces: `distance` in "{distance} from the anchor", `count` in "{count} device{count:|s}". */
export type Placeholders<Of extends string> = Of extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Only}:${string}` ? Only : Name) | Placeholders<Rest>
  : never;

export type ValuesOf<Of extends string> = Readonly<Record<Placeholders<Of>, string | number>>;

/** A text without values, for tables. */
export type PlainText = { [Each in Text]: [Placeholders<Each>] extends [never] ? Each : never }[Text];

/** With a capital letter at its beginning. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * The translation of a text in a catalogue; that of the text with a small letter, which gets its capital, serves too, and
 * so do those of two parts: "Fixed beacon: cardinal N", "AC input, voltage".
 */
export function textIn(texts: Partial<Readonly<Record<string, string>>>, text: string): string | undefined {
  if (texts[text] !== undefined) return texts[text];
  const small = texts[text.charAt(0).toLowerCase() + text.slice(1)];
  if (small !== undefined) return sentence(small);
  const [, whole, sign, part] = /^([^:,]+)([:,]) (.+)$/.exec(text) ?? [];
  if (whole === undefined || part === undefined) return undefined;
  const [what, said] = [textIn(texts, whole), texts[part]];
  if (what === undefined || said === undefined) return undefined;
  return sign === "," ? `${what}, ${said}` : filled(texts["{what}: {text}"] ?? "{what}: {text}", { what, text: said });
}
