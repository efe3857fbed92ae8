/** The quantities of sensors, and what or where they are, as a crew says them. */
import { placeOfTemperature } from "../../../core/n2k/lookups.ts";
import type { QuantityName } from "../../../core/sensors/quantities.ts";
import { settingText } from "../languages/setting-texts.ts";
import type { PlainText, SettingText } from "../languages/texts.ts";

const words = {
  temperature: "Temperature",
  temperatureExtended: "Temperature, wide range",
  humidity: "Humidity",
  pressure: "Pressure of air or fluid",
  fluidLevel: "Tank level",
  fluidCapacity: "Tank capacity",
  batteryVoltage: "Battery voltage",
  batteryCurrent: "Battery current",
  batteryTemperature: "Battery temperature",
  stateOfCharge: "State of charge",
  stateOfHealth: "State of health",
  timeRemaining: "Time remaining",
  capacityRemaining: "Capacity remaining",
  solarVoltage: "Solar voltage",
  solarCurrent: "Solar current",
  acInputVoltage: "AC input, voltage",
  acInputCurrent: "AC input, current",
  acInputFrequency: "AC input, frequency",
  acInputPower: "AC input, power",
  acOutputVoltage: "AC output, voltage",
  acOutputCurrent: "AC output, current",
  acOutputFrequency: "AC output, frequency",
  acOutputPower: "AC output, power",
  engineSpeed: "Engine speed",
  coolantTemperature: "Coolant temperature",
  oilPressure: "Oil pressure",
  oilTemperature: "Oil temperature",
  alternatorVoltage: "Alternator voltage",
  fuelRate: "Fuel rate",
  engineHours: "Engine hours",
  depth: "Depth",
  windSpeed: "Wind speed",
  windAngle: "Wind angle",
} as const satisfies Readonly<Record<QuantityName, PlainText | SettingText>>;

/** A quantity of the settings, which may name one that hub does not have. */
export const quantityText = (name: unknown): string =>
  settingText((words as Readonly<Record<string, string>>)[String(name)] ?? String(name));

/** @example kindText("Inside Temperature") // "Inside" */
export const kindText = (kind: string): string => settingText(placeOfTemperature(kind));
