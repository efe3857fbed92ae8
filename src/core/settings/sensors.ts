/**
 * The sensors that publish by MQTT: the entry `sensors` of `settings` in deploy.json.
 *
 *     {"name": "sensors", "rows": [{"name": "Saloon", "topic": "zigbee2mqtt/saloon", "pointer": "/temperature",
 *      "quantity": "temperature", "unit": "°C", "kind": "Main Cabin Temperature"}]}
 *
 * A row that cannot be used gives a warning and is left out.
 */
import * as z from "zod";
import { eachItem, entry, type Warn, type Warning, warningsOf } from "../report/read-entry.ts";
import { isJsonPointer } from "../sensors/json-pointer.ts";
import { kinds, quantityNamed, quantityNames } from "../sensors/quantities.ts";
import { isUnitOf, type SensorRow } from "../sensors/reading.ts";
import { messageOf } from "../sensors/sensors.ts";
import { isTopicFilter } from "../sensors/topic-filter.ts";
import { sourceUnitNames, unitsLike } from "../sensors/units.ts";

/** Maximum rows; each may be a device, and a network has 252 addresses. */
export const MAX_SENSOR_ROWS = 200;
const MAX_TOPIC = 250;
const MAX_NAME = 32;
const MAX_INSTANCE = 252;
const MAX_PERIOD_SEC = 86_400;

const pointer = z.string().max(MAX_TOPIC).refine(isJsonPointer, "must be a JSON Pointer: /Dc/0/Voltage");

const sensorRow = z.strictObject({
  name: z.string().trim().min(1).max(MAX_NAME).describe("the device; rows with the same name are one device"),
  topic: z
    .string()
    .min(1)
    .max(MAX_TOPIC)
    .refine(isTopicFilter, "must be a topic, with + for any level and without #")
    .describe("that the sensor publishes; a level may be +"),
  pointer: pointer.optional().describe("JSON Pointer to the value, /value; none: the payload is the number"),
  quantity: z.enum(quantityNames).describe("what it measures"),
  unit: z.enum(sourceUnitNames).optional().describe("of the source; by default that of the message"),
  kind: z
    .enum(kinds as readonly [string, ...string[]])
    .optional()
    .describe("place of a temperature, a humidity or a pressure, fluid of a tank, reference of a wind"),
  instance: z.int().min(0).max(MAX_INSTANCE).optional().describe("number of the tank, battery or engine; 0 by default"),
  full: z.number().optional().describe("for a level: the source's value of a full tank, in its unit"),
  empty: z.number().optional().describe("for a level: the source's value of an empty tank; 0 by default"),
  periodSec: z
    .int()
    .min(1)
    .max(MAX_PERIOD_SEC)
    .optional()
    .describe("seconds for which a value counts; by default 10 for engine, wind and depth, and 120 for others"),
  time: pointer.optional().describe("JSON Pointer to the time of the value, if the source gives one: /last_seen"),
  network: z
    .string()
    .max(MAX_TOPIC)
    .optional()
    .describe("the network mqtt: that has the topic; by default each of them"),
});

const schema = z.object({
  rows: z
    .array(sensorRow)
    .max(MAX_SENSOR_ROWS)
    .optional()
    .describe("values of sensors that publish by MQTT, one a row, for the networks mqtt: of the entry networks"),
});

export interface SensorSettings {
  readonly rows: readonly SensorRow[];
}

/** Reads a row, which may be any JSON value, or says what of it cannot be used. */
export function readSensorRow(item: unknown): SensorRow | Warning {
  const refused = (path: Warning["path"], problem: string): Warning => ({ path, problem });
  const { data, error } = sensorRow.safeParse(item);
  if (error !== undefined) return warningsOf(error)[0]!;
  const { quantity, full, empty = 0, instance = 0 } = data;
  const { unit: own, kind: ofKind, instance: numbered, periodSec } = quantityNamed(quantity);
  const unit = data.unit ?? own;
  const isTank = quantity === "fluidLevel";
  if ((full !== undefined || data.empty !== undefined) && !isTank)
    return refused([], "full and empty are for fluidLevel");
  if (full === empty) return refused([], "full and empty are the same");
  if (data.empty !== undefined && full === undefined) return refused(["empty"], "needs full");
  if (!isUnitOf(quantity, unit, full !== undefined))
    return isTank && isUnitOf(quantity, unit, true)
      ? refused(["unit"], `a level in ${unit} needs full: the value of a full tank`)
      : refused(["unit"], `${quantity} has ${unitsLike(own).join(", ")}`);
  const kind = data.kind ?? ofKind?.byDefault;
  if (ofKind === undefined ? data.kind !== undefined : !ofKind.choices.includes(kind ?? ""))
    return refused(["kind"], `${quantity} has ${ofKind?.choices.join(", ") ?? "no kind"}`);
  if (instance > (numbered?.highest ?? 0))
    return refused(["instance"], numbered === undefined ? `${quantity} has none` : `at most ${numbered.highest}`);
  return {
    name: data.name,
    topic: data.topic,
    quantity,
    unit,
    instance,
    empty,
    periodSec: data.periodSec ?? periodSec,
    ...(data.pointer !== undefined && { pointer: data.pointer }),
    ...(data.time !== undefined && { time: data.time }),
    ...(kind !== undefined && { kind }),
    ...(full !== undefined && { full }),
    ...(data.network !== undefined && { network: data.network }),
  };
}

function readRows(items: unknown, warn: Warn): readonly SensorRow[] | undefined {
  const rows: SensorRow[] = [];
  const taken = new Set<string>();
  const add = (item: unknown): Warning | undefined => {
    const row = readSensorRow(item);
    if ("problem" in row) return row;
    const value = `${row.network} ${row.quantity} ${messageOf(row)}`;
    if (taken.has(value)) return { path: [], problem: "measures what a row above measures" };
    taken.add(value);
    rows.push(row);
    return undefined;
  };
  return eachItem(items, { name: "rows", max: MAX_SENSOR_ROWS }, warn, add) ? rows : undefined;
}

export const sensorSettings = entry<SensorSettings>("sensors", {
  title: "Sensors by MQTT",
  schema,
  byDefault: { rows: [] },
  members: { rows: readRows },
});
