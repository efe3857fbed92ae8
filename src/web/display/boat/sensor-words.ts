/** The quantities of sensors, and what or where they are, as a crew says them. */
import { placeOfTemperature } from "../../../core/n2k/lookups.ts";
import { type QuantityName, quantityNames } from "../../../core/sensors/quantities.ts";
import { settingText, wordsOf } from "../languages/setting-texts.ts";
import { type PlainText, type SettingText, sentence } from "../languages/texts.ts";

/** The words of a crew, in one part or two, for quantities whose names are others. */
const words = {
  temperatureExtended: ["Temperature, Extended Range"],
  pressure: ["Pressure of air or fluid"],
  fluidLevel: ["Tank level"],
  fluidCapacity: ["Tank capacity"],
  acInputVoltage: ["AC input", "voltage"],
  acInputCurrent: ["AC input", "current"],
  acInputFrequency: ["AC input", "frequency"],
  acInputPower: ["AC input", "power"],
  acOutputVoltage: ["AC output", "voltage"],
  acOutputCurrent: ["AC output", "current"],
  acOutputFrequency: ["AC output", "frequency"],
  acOutputPower: ["AC output", "power"],
} as const satisfies Readonly<Partial<Record<QuantityName, readonly (PlainText | SettingText)[]>>>;

export const englishOf = (quantity: QuantityName): string =>
  (words as Partial<Record<QuantityName, readonly string[]>>)[quantity]?.join(", ") ?? sentence(wordsOf(quantity));

/** A quantity of the settings, which may name one that hub does not have. */
export function quantityText(name: unknown): string {
  const quantity = quantityNames.find((each) => each === name);
  return settingText(quantity === undefined ? String(name) : englishOf(quantity));
}

/** @example kindText("Inside Temperature") // "Inside" */
export const kindText = (kind: string): string => settingText(placeOfTemperature(kind));
