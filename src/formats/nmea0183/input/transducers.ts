/**
 * Measurements of XDR: groups of type, value, unit and name. The names are those that hub-link writes, of NMEA 0183
 * 4.11 with the number of the thing behind `#`, and those that chart programs know.
 */

import type { Definition, Message } from "../../../core/n2k/definition.ts";
import { HumiditySource, PressureSource, placeOfTemperature, TemperatureSource } from "../../../core/n2k/lookups.ts";
import { batteryStatus, fluidLevel } from "../../../core/n2k/pgns/electrical.ts";
import { actualPressure, humidity, temperature } from "../../../core/n2k/pgns/environment.ts";
import {
  engineParametersDynamic,
  engineParametersRapid,
  transmissionParametersDynamic,
} from "../../../core/n2k/pgns/propulsion.ts";
import { attitude } from "../../../core/n2k/pgns/steering.ts";
import { nauticalLeeway } from "../../../core/n2k/pgns/water.ts";
import { type Said, say } from "../../../core/n2k/said.ts";
import { type Fields, temperatureUnits, type Units } from "./fields.ts";
import type { Memory } from "./memory.ts";

/** Groups of one sentence; 82 characters have room for fewer. */
const MAX_GROUPS = 20;

const fluids = [
  ["FUEL", "Fuel"],
  ["FRESHWATER", "Water"],
  ["WASTEWATER", "Gray water"],
  ["LIVEWELLWATER", "Live well"],
  ["OIL", "Oil"],
  ["BLACKWATER", "Black water"],
] as const;

/** Sources of a quantity by their place without blanks: `ENGINEROOM`. */
const byPlace = <Source extends string>(
  sources: readonly Source[],
  placeOf: (source: Source) => string = (source) => source,
): ReadonlyMap<string, Source> =>
  new Map(sources.map((source) => [placeOf(source).replaceAll(" ", "").toUpperCase(), source]));

const temperaturePlaces = byPlace(TemperatureSource, placeOfTemperature);
const pressurePlaces = byPlace(PressureSource);
const humidityPlaces = byPlace(HumiditySource);

/** Members of a message; those of one thing make one message. */
interface Part {
  readonly definition: Definition;
  readonly thing: object;
  readonly values: object;
}

const part = <One extends Definition>(
  definition: One,
  thing: Partial<Message<One>>,
  values: Partial<Message<One>>,
): readonly Part[] => [{ definition, thing, values }];

/** A measurement: type, name in capitals, the number behind `#`, and the value in the unit of its type. */
interface Measured {
  readonly type: string;
  readonly name: string;
  readonly instance: number;
  readonly value: number;
}

/** Units of each type; a value in another one is passed over: a volume in litres is no level. */
const units: Readonly<Record<string, Units>> = {
  A: { D: 1 },
  C: temperatureUnits,
  P: { P: 1, B: 1e5 },
  U: { V: 1 },
  E: { P: 1 },
  V: { P: 1 },
  I: { A: 1 },
  T: { R: 1 },
  H: { P: 1 },
  G: { H: 1 },
};

const angles = [
  [/^YAW$/, (yawDeg: number) => part(attitude, {}, { yawDeg })],
  [/^(PITCH|PTCH)$/, (pitchDeg: number) => part(attitude, {}, { pitchDeg })],
  [/^(ROLL|HEEL)$/, (rollDeg: number) => part(attitude, {}, { rollDeg })],
  [/^LEEWAY$/, (leewayDeg: number) => part(nauticalLeeway, {}, { leewayDeg })],
] as const;

const outsideNames = /^(TEMPAIR|AIRTEMP|AIR|ENV_OUTAIR_T|OUTSIDE)$/;
const waterNames = /^(TEMPWATER|WATERTEMP|WATER|ENV_WATER_T|SEA)$/;
const barometerNames = /^(BAROMETER|BARO|ENV_ATMOS_P)$/;
const humidityNames = /^(HUMIDITY|AIRHUMIDITY|ENV_OUTAIR_H)$/;

function temperatureOf({ name, instance, value }: Measured): readonly Part[] {
  if (name === "ENGINE") return part(engineParametersDynamic, { engineInstance: instance }, { coolantTempC: value });
  if (name === "ENGINEOIL") return part(engineParametersDynamic, { engineInstance: instance }, { oilTempC: value });
  if (name === "TRANSMISSIONOIL")
    return part(transmissionParametersDynamic, { engineInstance: instance }, { oilTempC: value });
  if (name === "BATTERY") return part(batteryStatus, { instance }, { temperatureC: value });
  const source = outsideNames.test(name)
    ? "Outside Temperature"
    : waterNames.test(name)
      ? "Sea Temperature"
      : temperaturePlaces.get(name);
  return source === undefined ? [] : part(temperature, { instance, source }, { actualTempC: value });
}

function pressureOf({ name, instance, value }: Measured): readonly Part[] {
  if (barometerNames.test(name))
    return part(actualPressure, { instance, source: "Atmospheric" }, { pressurePa: value });
  const ofEngine = { engineInstance: instance };
  switch (name) {
    case "ENGINEOIL":
      return part(engineParametersDynamic, ofEngine, { oilPressureKpa: value / 1000 });
    case "ENGINECOOL":
      return part(engineParametersDynamic, ofEngine, { coolantPressureKpa: value / 1000 });
    case "FUEL":
      return part(engineParametersDynamic, ofEngine, { fuelPressureKpa: value / 1000 });
    case "ENGINEBOOST":
      return part(engineParametersRapid, ofEngine, { boostPressureKpa: value / 1000 });
    case "TRANSMISSIONOIL":
      return part(transmissionParametersDynamic, ofEngine, { oilPressureKpa: value / 1000 });
    case "ENGINETILT":
      return tiltOf(instance, value);
  }
  const source = pressurePlaces.get(name);
  return source === undefined ? [] : part(actualPressure, { instance, source }, { pressurePa: value });
}

function humidityOf({ name, instance, value }: Measured): readonly Part[] {
  const source = humidityNames.test(name) ? "Outside" : humidityPlaces.get(name);
  return source === undefined ? [] : part(humidity, { instance, source }, { actualHumidityPercent: value });
}

function voltageOf({ name, instance, value }: Measured): readonly Part[] {
  if (name === "BATTERY") return part(batteryStatus, { instance }, { voltageV: value });
  return name === "ALTERNATOR"
    ? part(engineParametersDynamic, { engineInstance: instance }, { alternatorVoltage: value })
    : [];
}

/** A percentage, which the table gives to type P too; its unit is written as that of pascals. */
const tiltOf = (engineInstance: number, value: number): readonly Part[] =>
  Math.abs(value) <= 125 ? part(engineParametersRapid, { engineInstance }, { tiltTrimPercent: value }) : [];

function levelOf({ name, instance, value }: Measured): readonly Part[] {
  if (name === "ENGINETILT") return tiltOf(instance, value);
  const fluidType = fluids.find(([letters]) => letters === name)?.[1];
  return fluidType === undefined || instance > 13
    ? []
    : part(fluidLevel, { instance, fluidType }, { levelPercent: value });
}

/** Readings by type. */
const readings: Readonly<Record<string, (measured: Measured) => readonly Part[]>> = {
  A: ({ name, value }) => angles.find(([names]) => names.test(name))?.[1](value) ?? [],
  C: temperatureOf,
  P: pressureOf,
  U: voltageOf,
  E: levelOf,
  V: levelOf,
  I: ({ name, instance, value }) => (name === "BATTERY" ? part(batteryStatus, { instance }, { currentA: value }) : []),
  T: ({ name, instance, value }) =>
    name === "ENGINE" ? part(engineParametersRapid, { engineInstance: instance }, { engineSpeedRpm: value }) : [],
  H: humidityOf,
  G: ({ name, instance, value }) =>
    name === "ENGINE" ? part(engineParametersDynamic, { engineInstance: instance }, { engineHours: value }) : [],
};

/** Reads the groups of a sentence. Those of which nothing is made are counted by their names. */
export function transducers(fields: Fields, { unusedTransducers }: Pick<Memory, "unusedTransducers">): readonly Said[] {
  const parts: Part[] = [];
  for (let at = 0; at + 3 < fields.count && at < 4 * MAX_GROUPS; at += 4) {
    if (fields.number(at + 1) === undefined) continue;
    const type = fields.text(at).toUpperCase();
    const value = fields.measure(at + 1, units[type] ?? {});
    const text = fields.text(at + 3).toUpperCase();
    const [, name = text, number = "0"] = /^([^#]*)(?:#(\d{1,2}))?$/.exec(text) ?? [];
    const made = value === undefined ? [] : (readings[type]?.({ type, name, instance: Number(number), value }) ?? []);
    if (made.length === 0) unusedTransducers.add(name || "unnamed");
    for (const each of made) parts.push(each);
  }
  return merged(parts);
}

/** The messages of the parts: a value that a message lacks would be gone until the next one. */
function merged(parts: readonly Part[]): readonly Said[] {
  const messages = new Map<string, { readonly definition: Definition; data: object }>();
  for (const { definition, thing, values } of parts) {
    const key = JSON.stringify([definition.pgn, thing]);
    const before = messages.get(key)?.data;
    messages.set(key, { definition, data: { ...thing, ...before, ...values } });
  }
  return [...messages.values()].flatMap(({ definition, data }) => say(definition, data));
}
