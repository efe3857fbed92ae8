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

/** A row for a topic, as the settings have it. */
export interface SuggestedRow extends Omit<ReadyRow, "word"> {
  readonly system: string;
}

const LONGEST_NAME = 32;

/** The rows that fit a message: their topic, and where they have a pointer, something there. */
export function suggestedRows(topic: string, payload: string): readonly SuggestedRow[] {
  const levels = topic.split("/");
  const { json } = readPayload(payload);
  const fits = (row: ReadyRow): boolean =>
    matchesTopic(row.topic, topic) &&
    (row.word === undefined || levels.at(-2)!.endsWith(row.word)) &&
    (row.pointer === undefined || valueAt(json, row.pointer) !== undefined);
  const nameOf = (template: string): string =>
    template.replace(/\{(\d)\}/, (_, at) => levels[Number(at)] ?? "").slice(0, LONGEST_NAME);
  return Object.entries(readyRows).flatMap(([system, rows]) =>
    rows.filter(fits).map(({ word: _, ...row }) => ({ system, ...row, topic, name: nameOf(row.name) })),
  );
}
