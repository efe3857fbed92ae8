/**
 * Ready rows for systems whose topics are public. A topic may have `+` where installations differ; a row that is made
 * of one has the topic that was heard.
 *
 * Sources: README of dbus-flashmq and the list of D-Bus paths of Venus OS; "MQTT Topics and Messages" of zigbee2mqtt;
 * "MQTT Client Component" of ESPHome; the properties of the decoders of Theengs, which OpenMQTTGateway uses.
 */
import { valueAt } from "./json-pointer.ts";
import type { QuantityName } from "./quantities.ts";
import { readPayload } from "./reading.ts";
import { matchesTopic } from "./topic-filter.ts";
import type { SourceUnitName } from "./units.ts";

export interface ReadyRow {
  readonly topic: string;
  /** A level of the topic has to end with this word: ESPHome names its sensors freely. */
  readonly word?: string;
  readonly pointer?: string;
  readonly time?: string;
  readonly quantity: QuantityName;
  readonly unit: SourceUnitName;
  readonly kind?: string;
  readonly full?: number;
  readonly periodSec?: number;
  /** Name of the device, with the levels of the topic in braces, from 0. */
  readonly name: string;
}

type Part = readonly [path: string, quantity: QuantityName, unit: SourceUnitName];

const venus = (service: string, name: string, parts: readonly Part[], kind?: string): readonly ReadyRow[] =>
  parts.map(([path, quantity, unit]) => ({
    topic: `N/+/${service}/+/${path}`,
    pointer: "/value",
    quantity,
    unit,
    name: `${name} {3}`,
    ...(kind !== undefined && { kind }),
  }));

const line = (path: string, side: "acInput" | "acOutput"): readonly Part[] => [
  [`${path}/V`, `${side}Voltage`, "V"],
  [`${path}/I`, `${side}Current`, "A"],
  [`${path}/F`, `${side}Frequency`, "Hz"],
  [`${path}/P`, `${side}Power`, "W"],
];

const zigbee = (pointer: string, quantity: QuantityName, unit: SourceUnitName): ReadyRow => ({
  topic: "zigbee2mqtt/+",
  pointer,
  time: "/last_seen",
  quantity,
  unit,
  periodSec: 3600,
  name: "{1}",
});

const esphome = (word: string, quantity: QuantityName, unit: SourceUnitName): ReadyRow => ({
  topic: "+/sensor/+/state",
  word,
  quantity,
  unit,
  periodSec: 180,
  name: "{0}",
});

const bluetooth = (pointer: string, quantity: QuantityName, unit: SourceUnitName): ReadyRow => ({
  topic: "+/+/BTtoMQTT/+",
  pointer,
  quantity,
  unit,
  periodSec: 300,
  name: "{3}",
});

export const readyRows: Readonly<Record<string, readonly ReadyRow[]>> = {
  "Victron Venus": [
    ...venus("battery", "Battery", [
      ["Dc/0/Voltage", "batteryVoltage", "V"],
      ["Dc/0/Current", "batteryCurrent", "A"],
      ["Dc/0/Temperature", "batteryTemperature", "°C"],
      ["Soc", "stateOfCharge", "%"],
      ["Soh", "stateOfHealth", "%"],
      ["TimeToGo", "timeRemaining", "s"],
    ]),
    ...venus(
      "tank",
      "Tank",
      [
        ["Level", "fluidLevel", "%"],
        ["Capacity", "fluidCapacity", "m³"],
      ],
      "Water",
    ),
    ...venus("temperature", "Thermometer", [
      ["Temperature", "temperature", "°C"],
      ["Humidity", "humidity", "%"],
    ]),
    ...venus("solarcharger", "Solar charger", [["Pv/V", "solarVoltage", "V"]]),
    ...venus("vebus", "Inverter", [...line("Ac/ActiveIn/L1", "acInput"), ...line("Ac/Out/L1", "acOutput")]),
  ],
  zigbee2mqtt: [
    zigbee("/temperature", "temperature", "°C"),
    zigbee("/humidity", "humidity", "%"),
    zigbee("/pressure", "pressure", "hPa"),
  ],
  ESPHome: [
    esphome("temperature", "temperature", "°C"),
    esphome("humidity", "humidity", "%"),
    esphome("pressure", "pressure", "hPa"),
    { ...esphome("level", "fluidLevel", "%"), kind: "Water" },
    esphome("voltage", "batteryVoltage", "V"),
    esphome("current", "batteryCurrent", "A"),
  ],
  OpenMQTTGateway: [
    bluetooth("/tempc", "temperature", "°C"),
    bluetooth("/hum", "humidity", "%"),
    bluetooth("/pres", "pressure", "hPa"),
    // Mopeka: height of the fluid above the sensor.
    { ...bluetooth("/lvl_cm", "fluidLevel", "cm"), kind: "Fuel", full: 30 },
  ],
};

/** Where a device says its own name, the first that is there; without a topic in its message. */
const ownNames: Readonly<Record<string, readonly { readonly topic?: string; readonly pointer: string }[]>> = {
  "Victron Venus": [
    { topic: "{0}/{1}/{2}/{3}/CustomName", pointer: "/value" },
    { topic: "{0}/{1}/{2}/{3}/ProductName", pointer: "/value" },
  ],
  OpenMQTTGateway: [{ pointer: "/name" }],
};

/** A row for a topic, as the settings have it. */
export interface SuggestedRow extends Omit<ReadyRow, "word"> {
  readonly system: string;
}

const LONGEST_NAME = 32;

const filled = (template: string, topic: string): string => {
  const levels = topic.split("/");
  return template.replaceAll(/\{(\d)\}/g, (_, at) => levels[Number(at)] ?? "");
};

interface Placed {
  readonly name?: unknown;
  /** A row of the settings may have `+` in place of a level. */
  readonly topic?: unknown;
}

/** The part of a topic that names its device within its system; undefined for a topic of no known system. */
function deviceOf(topic: string): { readonly system: string; readonly id: string } | undefined {
  for (const [system, rows] of Object.entries(readyRows)) {
    const row = rows.find((each) => matchesTopic(each.topic, topic));
    if (row !== undefined) return { system, id: filled(row.name, topic) };
  }
  return undefined;
}

/** The name of its device for a new row among others: rows with one name are one device. */
export function nameAmong(given: string, topic: string, others: readonly Placed[]): string {
  const own = deviceOf(topic);
  const isOwn = ({ topic: other }: Placed): boolean => {
    if (typeof other !== "string" || own === undefined) return other === topic;
    const device = deviceOf(other);
    return device?.system === own.system && device.id === own.id;
  };
  const before = others.find(isOwn)?.name;
  if (typeof before === "string") return before;
  const isTaken = (name: string): boolean => others.some((other) => other.name === name);
  const withTail = (tail: string): string => `${given.slice(0, LONGEST_NAME - tail.length - 1)} ${tail}`;
  if (!isTaken(given)) return given;
  if (own !== undefined && own.id.length < LONGEST_NAME / 2 && !isTaken(withTail(own.id))) return withTail(own.id);
  let number = 2;
  while (isTaken(withTail(String(number)))) number++;
  return withTail(String(number));
}

/**
 * The rows that fit a message: their topic, and where they have a pointer, something there. A device has the name that
 * it gives itself, in `payloadOf` a topic if not in its message, or else one made of its topic; `others` are the rows
 * that are there.
 */
export function suggestedRows(
  topic: string,
  payload: string,
  payloadOf: (topic: string) => string | undefined = () => undefined,
  others: readonly Placed[] = [],
): readonly SuggestedRow[] {
  const { json } = readPayload(payload);
  const fits = (row: ReadyRow): boolean =>
    matchesTopic(row.topic, topic) &&
    (row.word === undefined || topic.split("/").at(-2)!.endsWith(row.word)) &&
    (row.pointer === undefined || valueAt(json, row.pointer) !== undefined);
  const ownName = (system: string): string | undefined => {
    for (const place of ownNames[system] ?? []) {
      const there = place.topic === undefined ? json : readPayload(payloadOf(filled(place.topic, topic)) ?? "").json;
      const name = valueAt(there, place.pointer);
      if (typeof name === "string" && name.trim() !== "") return name.trim();
    }
    return undefined;
  };
  const nameOf = (system: string, row: ReadyRow): string =>
    nameAmong((ownName(system) ?? filled(row.name, topic)).slice(0, LONGEST_NAME), topic, others);
  return Object.entries(readyRows).flatMap(([system, rows]) =>
    rows.filter(fits).map((row) => {
      const { word: _, ...rest } = row;
      return { system, ...rest, topic, name: nameOf(system, row) };
    }),
  );
}
