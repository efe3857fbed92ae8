/**
 * Translations of the descriptions, members and choices in the schemas of the settings, and of the functions of devices.
 * Few pages show them, so their catalogues are files of their own, which are loaded with the first of these pages.
 */
import { signal } from "@preact/signals";
import { filled } from "../../../core/text/filled.ts";
import { catalogueOf, said } from "./say.ts";
import type { SettingText, Text } from "./texts.ts";

const isWanted = signal(false);
const catalogue = catalogueOf(({ loadSettings }) => (isWanted.value ? loadSettings : undefined));

export function wantSettingTexts(): void {
  isWanted.value = true;
}

/** A text of a schema; the English one where the catalogue lacks it. Follows the language, unlike `said`. */
export const settingText = (text: string, values: Readonly<Record<string, string>> = {}): string =>
  filled(catalogue.value[text] ?? said(text), values);

/**
 * A function or manufacturer of a device, of hub-cand; `Unknown (250)` keeps its number. Loads the catalogue, and reads no
 * signal, as `said`.
 */
export function deviceText(text: string): string {
  wantSettingTexts();
  const [words = "", number = ""] = text.split(/(?= \(\d+\)$)/);
  return (catalogue.peek()[words] ?? said(words)) + number;
}

/** Members whose names are not the words of a crew. */
const crewWords = {
  deadBands: "smallest changes that count",
  empty: "value when the tank is empty",
  friendlyNames: "names of devices",
  full: "value when the tank is full",
  homeAssistant: "Home Assistant",
  kind: "what or where it is",
  messageExpirySec: "how long messages are kept",
  network: "broker",
  nominal: "nominal voltage",
  ownMmsi: "own MMSI",
  periodSec: "how long a value counts",
  pgn: "PGN",
  pointer: "place of the value in the message",
  quantity: "what it measures",
  rows: "list",
  time: "place of the time in the message",
  topic: "MQTT topic",
  unit: "unit of the source",
} as const satisfies Readonly<Record<string, SettingText | Text>>;

/** The name of a member in words: `windDamping` is "wind damping". */
export const wordsOf = (name: string): string =>
  Object.hasOwn(crewWords, name)
    ? crewWords[name as keyof typeof crewWords]
    : name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

export const memberText = (name: string): string => settingText(wordsOf(name));
