/** The quantities of sensors, and what or where they are, as a crew says them. */
import { placeOfTemperature } from "../../../core/n2k/lookups.ts";
import { type QuantityName, quantityNames } from "../../../core/sensors/quantities.ts";
import { settingText, wordsOf } from "../languages/setting-texts.ts";
import { type PlainText, type SettingText, sentence } from "../languages/texts.ts";

/** Quantities whose names are not the words of a crew. */
const words = {
  temperatureExtended: "Temperature, Extended Range",
  pressure: "Pressure of air or fluid",
  fluidLevel: "Tank level",
  fluidCapacity: "Tank capacity",
} as const satisfies Readonly<Partial<Record<QuantityName, PlainText | SettingText>>>;

/** @example englishOf("acInputVoltage") // "AC input, voltage" */
export function englishOf(quantity: QuantityName): string {
  const [, end, what] = /^ac(Input|Output)(.+)$/.exec(quantity) ?? [];
  if (end !== undefined) return `AC ${end.toLowerCase()}, ${what!.toLowerCase()}`;
  return (words as Partial<Record<QuantityName, string>>)[quantity] ?? sentence(wordsOf(quantity));
}

/** A quantity of the settings, which may name one that hub does not have. */
export function quantityText(name: unknown): string {
  const quantity = quantityNames.find((each) => each === name);
  return settingText(quantity === undefined ? String(name) : englishOf(quantity));
}

/** @example kindText("Inside Temperature") // "Inside" */
export const kindText = (kind: string): string => settingText(placeOfTemperature(kind));
