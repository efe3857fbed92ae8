/**
 * Definitions read as Home Assistant's entities: which fields have one, its class and unit, and the template that finds
 * its value in the message. Classes, units and options: https://www.home-assistant.io/integrations/mqtt/ (device
 * discovery), …/sensor.mqtt/, …/binary_sensor.mqtt/ and …/sensor/ (units of each device class).
 */
import type { Definition } from "../../../core/n2k/definition.ts";
import { type Field, isPublished, type Quantity } from "../../../core/n2k/field.ts";
import { fieldLabel, messageLabel } from "../../../core/n2k/label.ts";
import { publishedFields } from "../../../core/n2k/layout.ts";
import { ofUnit, type UnitName } from "../../../core/n2k/units.ts";
import { EXPIRE_AFTER_SECONDS } from "../../../core/report/timing.ts";

/** A component of a discovery message. */
export interface Component {
  readonly platform: "sensor" | "binary_sensor" | "device_tracker" | "button" | "event" | "switch";
  readonly name: string;
  readonly [option: string]: unknown;
}

/** Components by their keys, with which the device of the message makes the ids that Home Assistant remembers. */
export type Components = Readonly<Record<string, Component>>;

/** A binary sensor of a problem, which is there while the condition is true of the messages of a topic. */
export const problem = (name: string, topic: string, condition: string): Component => ({
  platform: "binary_sensor",
  name,
  device_class: "problem",
  state_topic: topic,
  value_template: `{{ 'ON' if ${condition} else 'OFF' }}`,
  payload_on: "ON",
  payload_off: "OFF",
  expire_after: EXPIRE_AFTER_SECONDS,
});

/** Presentation of a number in Home Assistant: unit, class, and whether it keeps statistics. */
export interface Measure {
  readonly unit_of_measurement?: string;
  readonly device_class?: string;
  readonly state_class?: "measurement" | "measurement_angle" | "total_increasing" | undefined;
}

const measurement = "measurement";
/** Dates and times have no entities. */
const unused = undefined;

/** Every unit of the definitions. */
export const unitMeasures: Readonly<Record<UnitName, Measure | undefined>> = {
  "%": { unit_of_measurement: "%", state_class: measurement },
  A: { unit_of_measurement: "A", device_class: "current", state_class: measurement },
  B: undefined,
  Ah: { unit_of_measurement: "Ah", state_class: measurement },
  Hz: { unit_of_measurement: "Hz", device_class: "frequency", state_class: measurement },
  L: { unit_of_measurement: "L", device_class: "volume_storage", state_class: measurement },
  "L/h": { unit_of_measurement: "L/h", device_class: "volume_flow_rate", state_class: measurement },
  NM: { unit_of_measurement: "nmi", device_class: "distance", state_class: measurement },
  Pa: { unit_of_measurement: "Pa", device_class: "pressure", state_class: measurement },
  kPa: { unit_of_measurement: "kPa", device_class: "pressure", state_class: measurement },
  V: { unit_of_measurement: "V", device_class: "voltage", state_class: measurement },
  W: { unit_of_measurement: "W", device_class: "power", state_class: measurement },
  "deg/s": { unit_of_measurement: "°/s", state_class: measurement },
  "deg/min": { unit_of_measurement: "°/min", state_class: measurement },
  "km/h": { unit_of_measurement: "km/h", device_class: "speed", state_class: measurement },
  "m/s": { unit_of_measurement: "m/s", device_class: "speed", state_class: measurement },
  kn: { unit_of_measurement: "kn", device_class: "speed", state_class: measurement },
  m: { unit_of_measurement: "m", device_class: "distance", state_class: measurement },
  ms: { unit_of_measurement: "ms", device_class: "duration", state_class: measurement },
  s: { unit_of_measurement: "s", device_class: "duration", state_class: measurement },
  min: { unit_of_measurement: "min", device_class: "duration", state_class: measurement },
  h: { unit_of_measurement: "h", device_class: "duration", state_class: measurement },
  K: { unit_of_measurement: "K", state_class: measurement },
  T: { unit_of_measurement: "T", state_class: measurement },
  VA: { unit_of_measurement: "VA", device_class: "apparent_power", state_class: measurement },
  var: { unit_of_measurement: "var", device_class: "reactive_power", state_class: measurement },
  kWh: { unit_of_measurement: "kWh", device_class: "energy", state_class: "total_increasing" },
  dB: { unit_of_measurement: "dB", state_class: measurement },
  ppt: { unit_of_measurement: "ppt", state_class: measurement },
  ppm: { unit_of_measurement: "ppm", state_class: measurement },
  rpm: { unit_of_measurement: "rpm", state_class: measurement },
  "°C": { unit_of_measurement: "°C", device_class: "temperature", state_class: measurement },
  // The mean of 359 and 1 degrees is 0.
  deg: { unit_of_measurement: "°", state_class: "measurement_angle" },
  "days since 1970-01-01": unused,
  "s since midnight": unused,
  "min from UTC": unused,
  // Parameters of orbits and clocks of satellites.
  "Pa/h": unused,
  "ns/s": unused,
  "sqrt(m)": unused,
};

/** Classes of quantities that their unit does not tell. */
const quantityMeasures: Readonly<Partial<Record<Quantity, Measure>>> = {
  // A place has no mean that is a place.
  coordinate: { state_class: undefined },
  deflection: { state_class: measurement },
  humidity: { device_class: "humidity" },
  powerFactor: { device_class: "power_factor", state_class: measurement },
  stateOfCharge: { device_class: "battery" },
  total: { state_class: "total_increasing" },
  windSpeed: { device_class: "wind_speed" },
};

/** Unit and classes of a number; undefined for a unit that has no entities. */
export function measureOf(unit: string | undefined, quantity?: Quantity): Measure | undefined {
  const measure = unit === undefined ? {} : ofUnit(unitMeasures, unit);
  return measure && { ...measure, ...(quantity && quantityMeasures[quantity]) };
}

/** Decimals shown for a number. */
const precisionOf = (decimals: number, quantity?: Quantity): number =>
  Math.min(decimals, quantity === "coordinate" ? 6 : 2);

/** An entity whose values a message may have. */
export interface FieldEntity {
  /** Path of its value in `data`: the member, and in a numbered list the number and the member of the entry. */
  readonly member: string;
  readonly entry?: { readonly numbered: string; readonly member: string };
  /** One bit of its value. */
  readonly bit?: number;
  /** Of an enumeration whose list may lack codes, the texts that consist of digits. */
  readonly numericTexts?: readonly string[];
  /** Its name, without that of the message. */
  readonly label: string;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface MessageEntities {
  readonly title: string;
  /** The published key fields. */
  readonly identity: readonly string[];
  /** The values of these fields in words. */
  readonly wordsOf: (identity: Readonly<Record<string, unknown>>) => readonly string[];
  readonly entities: readonly FieldEntity[];
}

const textsOf = (field: Extract<Field, { kind: "choice" }>): readonly (string | number)[] => [
  ...new Set([...Object.values(field.choices), ...(field.otherwise === undefined ? [] : [field.otherwise])]),
];

/** The state of a code that the list lacks: Home Assistant keeps the state before if it gets one that is no option. */
const OTHER_CODE = "Other code";

const enumeration = (options: readonly unknown[]): Readonly<Record<string, unknown>> => ({
  platform: "sensor",
  device_class: "enum",
  options,
});

function entityOf(name: string, field: Field): FieldEntity | undefined {
  const entity = { member: name, label: fieldLabel(name, field) };
  switch (field.kind) {
    case "number": {
      const { integer, quantity, scale, unit } = field;
      const isCode = integer && unit === undefined && quantity === undefined;
      const measure = measureOf(unit, quantity);
      if (isCode || measure === undefined) return undefined;
      const suggested_display_precision = precisionOf(scale.decimals, quantity);
      return { ...entity, options: { platform: "sensor", ...measure, suggested_display_precision } };
    }
    case "choice": {
      const texts = textsOf(field);
      if (field.open) {
        const numericTexts = texts.filter((text) => /^\d+$/.test(String(text))).map(String);
        return { ...entity, numericTexts, options: enumeration([...texts, OTHER_CODE]) };
      }
      if (typeof texts[0] === "string") return { ...entity, options: enumeration(texts) };
      return { ...entity, options: { platform: "sensor", ...measureOf(field.unit) } };
    }
    case "flag":
    case "aboveZero":
      return { ...entity, options: { platform: "binary_sensor", payload_on: "True", payload_off: "False" } };
    default:
      return undefined;
  }
}

/** An entity for each bit of a number that reports alarms. */
const bitsOf = (name: string, names: readonly string[]): FieldEntity[] =>
  names.map((label, bit) => ({
    member: name,
    bit,
    label,
    options: { platform: "binary_sensor", device_class: "problem", payload_on: "True", payload_off: "False" },
  }));

/** An entity for each entry of a list that is numbered from 1 to a fixed last one: a switch each. */
function entriesOf(name: string, field: Extract<Field, { kind: "repeat" }>): FieldEntity[] {
  const { numbered, group } = field;
  if (numbered === undefined) return [];
  return Object.entries(group).flatMap(([member, inner]) => {
    const entity = isPublished(member) ? entityOf(member, inner) : undefined;
    return entity === undefined
      ? []
      : [{ ...entity, member: name, entry: { numbered, member }, label: fieldLabel(numbered, inner) }];
  });
}

function fieldEntities(name: string, field: Field): readonly FieldEntity[] {
  if (field.kind === "repeat") return entriesOf(name, field);
  if (field.kind === "number" && field.bits !== undefined) return bitsOf(name, field.bits);
  const entity = entityOf(name, field);
  return entity === undefined ? [] : [entity];
}

const announcedDisabled = ({ options, ...entity }: FieldEntity): FieldEntity => ({
  ...entity,
  options: { ...options, enabled_by_default: false },
});

/**
 * The entities of a message; undefined when it has none. A message about something other than the sender or the boat
 * (`about`) has no state of an entity.
 */
export function entitiesOf(definition: Definition): MessageEntities | undefined {
  if (definition.about !== undefined) return undefined;
  const fields = publishedFields(definition);
  const entities = fields.flatMap(({ name, field }): readonly FieldEntity[] => {
    if (field.key) return [];
    const all = fieldEntities(name, field);
    return field.everyday ? all : all.map(announcedDisabled);
  });
  if (entities.length === 0) return undefined;
  const keys = fields.filter(({ field }) => field.key);
  const wordsOf = (identity: Readonly<Record<string, unknown>>): readonly string[] =>
    keys.flatMap(({ name, field }) => {
      const value = identity[name];
      if (value === undefined) return [];
      const codes = field.kind === "number" ? field.codes : undefined;
      return [String(codes?.[value as number] ?? value)];
    });
  return { title: messageLabel(definition), identity: keys.map(({ name }) => name), wordsOf, entities };
}

/**
 * The Jinja template of an entity's value; its topic has the messages of one instance. A field that is not in the
 * message is `None`, which Home Assistant shows as unknown.
 */
export function valueTemplate({ member, entry, bit, numericTexts }: FieldEntity, number?: number): string {
  const data = "value_json.data";
  if (bit !== undefined)
    return `{{ ${data}.${member} // ${2 ** bit} % 2 == 1 if ${data}.${member} is defined else None }}`;
  const value =
    entry === undefined
      ? `${data}.${member} | default(None)`
      : `(${data}.${member} | default([]) | selectattr('${entry.numbered}', 'eq', ${number}) | first | default({})).${entry.member} | default(None)`;
  if (numericTexts === undefined) return `{{ ${value} }}`;
  // Codes without a text are digits.
  const isText = numericTexts.map((text) => ` and value != '${text}'`).join("");
  return `{% set value = ${value} %}{{ '${OTHER_CODE}' if value is string and value.isdigit()${isText} else value }}`;
}
