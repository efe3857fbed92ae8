/**
 * The quantities of sensors: for each the PGN and the member that has it. Unit, limits, and the members that tell one
 * thing from another follow from the definition of the PGN.
 */
import type { Definition } from "../n2k/definition.ts";
import type { ChoiceField, NumberField } from "../n2k/field.ts";
import { placedFields } from "../n2k/layout.ts";
import { dcVoltageCurrent } from "../n2k/pgns/assumed.ts";
import { acInputStatus, acOutputStatus, batteryStatus, dcDetailedStatus, fluidLevel } from "../n2k/pgns/electrical.ts";
import { actualPressure, humidity, temperature, temperatureExtendedRange, windData } from "../n2k/pgns/environment.ts";
import { engineParametersDynamic, engineParametersRapid } from "../n2k/pgns/propulsion.ts";
import { waterDepth } from "../n2k/pgns/water.ts";
import { rawLimits } from "../n2k/scaling.ts";
import { isSourceUnit, type SourceUnitName } from "./units.ts";

interface Options {
  /** Seconds for which a value counts if the row does not say; sensors of a slow quantity report seldom. */
  readonly periodSec?: number;
  /** Kind if the row names none; without it the row has to. */
  readonly kind?: string;
  /** Other members of the message. */
  readonly members?: Readonly<Record<string, number | string>>;
}

export interface Quantity {
  readonly definition: Definition;
  /** Member of the message that has the value. */
  readonly member: string;
  readonly unit: SourceUnitName;
  /** Lowest and highest value that the message can have, in its unit. */
  readonly limits: readonly [lowest: number, highest: number];
  readonly decimals: number;
  /** Member for the number of the thing, with the highest one. */
  readonly instance?: { readonly member: string; readonly highest: number };
  /** Member for the kind of the thing: the place of a thermometer, the fluid of a tank. */
  readonly kind?: { readonly member: string; readonly choices: readonly string[]; readonly byDefault?: string };
  readonly members: Readonly<Record<string, number | string>>;
  readonly periodSec: number;
}

const PERIOD_SEC = 120;

function quantityOf(
  definition: Definition,
  member: string,
  { periodSec = PERIOD_SEC, kind: byDefault, members = {} }: Options = {},
): Quantity {
  const fields = placedFields(definition.fields);
  const { unit, scale, wire, range } = fields.find(({ name }) => name === member)!.field as NumberField;
  if (!isSourceUnit(unit)) throw new Error(`${definition.pgn}.${member} has the unit ${unit}, which no source gives`);
  const [lowest, highest] = rawLimits({ wire, scale, range });
  const published = (raw: number): number => (raw * scale.times) / scale.per + scale.offset;
  const keys = fields.filter(({ name, field }) => field.key && !name.startsWith("_") && !(name in members));
  const instance = keys.find(({ field }) => field.kind === "number");
  const kind = keys.find(({ field }) => field.kind === "choice");
  return {
    definition,
    member,
    unit,
    limits: [published(lowest), published(highest)],
    decimals: scale.decimals,
    ...(instance && {
      instance: { member: instance.name, highest: (instance.field as NumberField).wire.highest },
    }),
    ...(kind && {
      kind: {
        member: kind.name,
        choices: Object.values((kind.field as ChoiceField<string>).choices),
        ...(byDefault !== undefined && { byDefault }),
      },
    }),
    members,
    periodSec,
  };
}

const battery = { members: { dcType: "Battery" } };
const lineOne = { members: { numLines: 1 } };
/** Engine, wind and depth change within seconds. */
const QUICK_SEC = 10;
const quick = { periodSec: QUICK_SEC };

export const quantities = {
  temperature: quantityOf(temperature, "actualTempC", { kind: "Inside Temperature" }),
  temperatureExtended: quantityOf(temperatureExtendedRange, "actualTempC", { kind: "Exhaust Gas Temperature" }),
  humidity: quantityOf(humidity, "actualHumidityPercent", { kind: "Inside" }),
  pressure: quantityOf(actualPressure, "pressurePa", { kind: "Atmospheric" }),
  fluidLevel: quantityOf(fluidLevel, "levelPercent"),
  fluidCapacity: quantityOf(fluidLevel, "capacityLiters"),
  batteryVoltage: quantityOf(batteryStatus, "voltageV"),
  batteryCurrent: quantityOf(batteryStatus, "currentA"),
  batteryTemperature: quantityOf(batteryStatus, "temperatureC"),
  stateOfCharge: quantityOf(dcDetailedStatus, "stateOfChargePercent", battery),
  stateOfHealth: quantityOf(dcDetailedStatus, "stateOfHealthPercent", battery),
  timeRemaining: quantityOf(dcDetailedStatus, "timeRemainingMin", battery),
  capacityRemaining: quantityOf(dcDetailedStatus, "capacityRemainingAh", battery),
  solarVoltage: quantityOf(dcVoltageCurrent, "voltageV"),
  solarCurrent: quantityOf(dcVoltageCurrent, "currentA"),
  acInputVoltage: quantityOf(acInputStatus, "line1VoltageV", lineOne),
  acInputCurrent: quantityOf(acInputStatus, "line1CurrentA", lineOne),
  acInputFrequency: quantityOf(acInputStatus, "line1FrequencyHz", lineOne),
  acInputPower: quantityOf(acInputStatus, "line1RealPowerW", lineOne),
  acOutputVoltage: quantityOf(acOutputStatus, "line1VoltageV", lineOne),
  acOutputCurrent: quantityOf(acOutputStatus, "line1CurrentA", lineOne),
  acOutputFrequency: quantityOf(acOutputStatus, "line1FrequencyHz", lineOne),
  acOutputPower: quantityOf(acOutputStatus, "line1RealPowerW", lineOne),
  engineSpeed: quantityOf(engineParametersRapid, "engineSpeedRpm", quick),
  coolantTemperature: quantityOf(engineParametersDynamic, "coolantTempC", quick),
  oilPressure: quantityOf(engineParametersDynamic, "oilPressureKpa", quick),
  oilTemperature: quantityOf(engineParametersDynamic, "oilTempC", quick),
  alternatorVoltage: quantityOf(engineParametersDynamic, "alternatorVoltage", quick),
  fuelRate: quantityOf(engineParametersDynamic, "fuelRateLh", quick),
  engineHours: quantityOf(engineParametersDynamic, "engineHours"),
  depth: quantityOf(waterDepth, "depthM", quick),
  windSpeed: quantityOf(windData, "windSpeedMs", { ...quick, kind: "Apparent" }),
  windAngle: quantityOf(windData, "windAngleDeg", { ...quick, kind: "Apparent" }),
} as const satisfies Readonly<Record<string, Quantity>>;

export type QuantityName = keyof typeof quantities;

export const quantityNames = Object.keys(quantities) as readonly QuantityName[];

export const quantityNamed = (name: QuantityName): Quantity => quantities[name];

/** The kinds of all quantities, each once. */
export const kinds: readonly string[] = [
  ...new Set(quantityNames.flatMap((name) => quantityNamed(name).kind?.choices ?? [])),
];
