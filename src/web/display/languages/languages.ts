/** The languages of the display, each by its own name. A new one is two catalogues beside this, and its row here. */
import type { Catalogue, SettingCatalogue } from "./texts.ts";

interface Language {
  readonly name: string;
  /** English has no catalogue: its texts are those of the source. */
  readonly load?: () => Promise<Catalogue>;
  readonly loadSettings?: () => Promise<SettingCatalogue>;
  /** Several nouns are written as one word. */
  readonly joinsNouns?: boolean;
}

export const languages = {
  en: { name: "English" },
  de: {
    name: "Deutsch",
    load: () => import("./de.ts").then(({ de }) => de),
    loadSettings: () => import("./settings/de.ts").then(({ de }) => de),
    joinsNouns: true,
  },
  fr: {
    name: "Français",
    load: () => import("./fr.ts").then(({ fr }) => fr),
    loadSettings: () => import("./settings/fr.ts").then(({ fr }) => fr),
  },
  it: {
    name: "Italiano",
    load: () => import("./it.ts").then(({ it }) => it),
    loadSettings: () => import("./settings/it.ts").then(({ it }) => it),
  },
  es: {
    name: "Español",
    load: () => import("./es.ts").then(({ es }) => es),
    loadSettings: () => import("./settings/es.ts").then(({ es }) => es),
  },
  nl: {
    name: "Nederlands",
    load: () => import("./nl.ts").then(({ nl }) => nl),
    loadSettings: () => import("./settings/nl.ts").then(({ nl }) => nl),
    joinsNouns: true,
  },
} as const satisfies Readonly<Record<string, Language>>;

export type LanguageName = keyof typeof languages;

export const languageNames = Object.keys(languages) as readonly LanguageName[];

export const languageOf = (name: LanguageName): Language => languages[name];

/** The first language of the browser that the display has. */
export const preferredLanguage = (wanted: readonly string[]): LanguageName =>
  wanted
    .map((tag) => languageNames.find((name) => name === tag.toLowerCase().split("-")[0]))
    .find((name) => name !== undefined) ?? "en";
