/** The texts that the display says, as types. The first catalogue has them all: a text that it lacks is none. */
import type { de } from "./de.ts";

export type Text = keyof typeof de;
export type Catalogue = Readonly<Record<Text, string>>;

/** The names in braces: `distance` in "{distance} from the anchor". */
export type Placeholders<Of extends string> = Of extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

export type ValuesOf<Of extends string> = Readonly<Record<Placeholders<Of>, string | number>>;

/** A text without values, for tables. */
export type PlainText = { [Each in Text]: [Placeholders<Each>] extends [never] ? Each : never }[Text];
