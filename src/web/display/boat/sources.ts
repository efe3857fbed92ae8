/** The devices that send a quantity, with their current values, and the order of the sources. */

import type { PriorityKey } from "../../../core/nav/settings.ts";
import { fixed } from "../../../core/text/quantity.ts";
import { namesOf } from "../data/device-names.ts";
import { ageOf } from "../data/freshness.ts";
import { settings } from "../data/settings.ts";
import { type DeviceMessage, store } from "../data/store.ts";
import { coordinateText, type MeasureName, withUnit } from "../instruments/units.ts";
import { numberText } from "../languages/formats.ts";
import type { PlainText } from "../languages/texts.ts";
import { priorityPgns } from "./pgns.ts";

type Data = DeviceMessage["data"];

interface Quantity {
  readonly name: PlainText;
  /** Text of the quantity; undefined for a message without it. */
  readonly text: (data: Data) => string | undefined;
}

const number =
  (member: string, unit: string, decimals = 1) =>
  (data: Data): string | undefined =>
    typeof data[member] === "number" ? `${numberText(fixed(data[member], decimals))}\u202f${unit}` : undefined;

/** In the unit of the crew. */
const measured =
  (member: string, measure: MeasureName) =>
  (data: Data): string | undefined =>
    typeof data[member] === "number" ? withUnit(measure, settings.value.units, data[member]) : undefined;

const place = ({ latitude, longitude }: Data): string | undefined =>
  typeof latitude === "number" && typeof longitude === "number"
    ? `${coordinateText(latitude, "latitude")} ${coordinateText(longitude, "longitude")}`
    : undefined;

const first =
  (...texts: readonly ((data: Data) => string | undefined)[]) =>
  (data: Data): string | undefined =>
    texts.map((text) => text(data)).find((text) => text !== undefined);

/** Places whose temperatures are in the navigation report. */
const environments: readonly string[] = ["Sea Temperature", "Outside Temperature"];

export const quantities: Readonly<Record<PriorityKey, Quantity>> = {
  position: { name: "Position", text: place },
  course: { name: "Course and speed over ground", text: measured("sogKnots", "speed") },
  heading: { name: "Heading", text: number("headingDeg", "°", 0) },
  speed: { name: "Speed through water", text: measured("speedWaterKnots", "speed") },
  rateOfTurn: { name: "Rate of turn", text: number("rateDegPerSec", "°/s") },
  variation: { name: "Variation", text: number("variationDeg", "°") },
  leeway: { name: "Leeway", text: number("leewayDeg", "°") },
  wind: { name: "Wind", text: measured("windSpeedKnots", "wind") },
  depth: { name: "Depth", text: measured("depthM", "depth") },
  environment: {
    name: "Temperature and pressure",
    text: first(
      measured("waterTempC", "temperature"),
      measured("temperatureC", "temperature"),
      (data) =>
        environments.includes(data.source as string) ? measured("actualTempC", "temperature")(data) : undefined,
      measured("pressurePa", "airPressure"),
    ),
  },
  date: { name: "Date and time", text: () => "UTC" },
};

export interface Candidate {
  readonly address: number;
  /** NAME of the device in decimal digits. */
  readonly name: string;
  readonly text: string;
  /** Seconds. */
  readonly age: number;
}

/** The devices that send a quantity, each once, with its latest value; those without a NAME cannot be preferred. */
export function candidatesOf(key: PriorityKey, now: number): readonly Candidate[] {
  const { text } = quantities[key];
  const pgns = priorityPgns[key];
  const found = new Map<string, Candidate>();
  for (const { data, stamp, address } of store.messages.values()) {
    const name = store.infos.get(address)?.data.name;
    const shown = pgns.includes(data.pgn) ? text(data) : undefined;
    if (name === undefined || shown === undefined) continue;
    const age = ageOf(stamp, now);
    const known = found.get(name);
    if (known === undefined || age < known.age) found.set(name, { address, name, text: shown, age });
  }
  return [...found.values()].sort((a, b) => a.address - b.address);
}

/** Whether the text of a priority is about a device, by its NAME, its name in the settings or its model. */
const isMeant = (name: string, one: string, friendlyNames: Readonly<Record<string, string>>): boolean =>
  namesOf(name).some((each) => each === one || friendlyNames[each] === one);

/** Whether a device of a priority is on the bus. */
export const isOnBus = (one: string, friendlyNames: Readonly<Record<string, string>>): boolean =>
  [...store.infos.values()].some(({ data: { name } }) => isMeant(name, one, friendlyNames));

/** All devices of a priority, heard or not, in its order; the other heard ones follow. */
export function sourceOrder(
  heard: readonly string[],
  priority: readonly string[],
  friendlyNames: Readonly<Record<string, string>>,
): readonly string[] {
  const listed = priority.map((one) => heard.find((name) => isMeant(name, one, friendlyNames)) ?? one);
  return [...new Set([...listed, ...heard])];
}

/** The order with a device before another one, or at the front. */
export function moved(order: readonly string[], name: string, before?: string): readonly string[] {
  const others = order.filter((each) => each !== name);
  const at = before === undefined ? 0 : Math.max(0, others.indexOf(before));
  return others.toSpliced(at, 0, name);
}
