/**
 * The tables read as Home Assistant's entities: which fields of a PGN are worth one, in which class and unit, and how the
 * value is found in the message. What Home Assistant accepts is told by https://www.home-assistant.io/integrations/mqtt/
 * (device discovery), …/sensor.mqtt/, …/binary_sensor.mqtt/ and …/sensor/ (units of each device class).
 */
import type { Definition, Field } from "../n2k/field.ts";
import { publishedFields } from "../n2k/layout.ts";

/** What a component of a discovery message says besides its topic. */
export interface Component {
  readonly platform: "sensor" | "binary_sensor" | "device_tracker";
  readonly name: string;
  readonly unique_id: string;
  readonly [option: string]: unknown;
}

/** How a number is shown: its unit there, its class, and whether statistics of it make sense. */
export interface Measure {
  readonly unit_of_measurement?: string;
  readonly device_class?: string;
  readonly state_class?: "measurement";
}

const measurement = "measurement";
/** Another scale of what is published already; Home Assistant converts by itself. Also times, which are no measurements. */
const unused = undefined;

/** Each unit of the tables; one that is not here has no entity, and a test holds that it is meant so. */
export const unitMeasures: Readonly<Record<string, Measure | undefined>> = {
  "%": { unit_of_measurement: "%", state_class: measurement },
  A: { unit_of_measurement: "A", device_class: "current", state_class: measurement },
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
  ppm: { unit_of_measurement: "ppm", state_class: measurement },
  rpm: { unit_of_measurement: "rpm", state_class: measurement },
  "°C": { unit_of_measurement: "°C", device_class: "temperature", state_class: measurement },
  // The mean of 359 and 1 degrees is not 180: directions and places have no statistics.
  deg: { unit_of_measurement: "°" },
  "days since 1970-01-01": unused,
  "s since midnight": unused,
  "min from UTC": unused,
};

/** What the name of a field says beyond its unit. */
export function measureOf(name: string, unit: string | undefined): Measure | undefined {
  if (unit === undefined)
    return /factor$/i.test(name) ? { device_class: "power_factor", state_class: measurement } : {};
  const measure = unitMeasures[unit];
  if (measure?.device_class === "speed" && /^wind/i.test(name)) return { ...measure, device_class: "wind_speed" };
  if (unit === "%" && /humidity/i.test(name)) return { ...measure, device_class: "humidity" };
  if (unit === "%" && /^stateOfCharge/.test(name)) return { ...measure, device_class: "battery" };
  if (
    unit === "deg" &&
    /^(rudder|angleOrder|position|pitch|roll|deviation|variation)/i.test(name) &&
    !/Lat|Long/.test(name)
  )
    return { ...measure, state_class: measurement };
  return measure;
}

/** One entity that a message may carry a value for. */
export interface FieldEntity {
  /** Where its value is in `data`: the member, and in a numbered list the number and the member of the entry. */
  readonly member: string;
  readonly entry?: { readonly numbered: string; readonly member: string };
  /** Words for it, without those of its message. */
  readonly label: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Numbers ignore an empty state; a text has to be told again. */
  readonly isText: boolean;
}

export interface MessageEntities {
  readonly title: string;
  /** Members that tell apart the things a device speaks of under one PGN: an instance, a kind of sensor. */
  readonly identity: readonly string[];
  readonly entities: readonly FieldEntity[];
}

const isInstance = (name: string): boolean => /(^i|I)nstance$/.test(name);
/** Lists of codes that say what is measured, and not how it is. */
const kinds = new Set([
  "reference",
  "cogReference",
  "setReference",
  "source",
  "tempSource",
  "humiditySource",
  "fluidType",
]);
/** Messages that speak of others, of lists or of what somebody wants: nothing of it is a state of the device. */
const isAboutOthers = ({ pgn, fields }: Definition): boolean =>
  [
    "mmsi",
    "targetId",
    "alertId",
    "zoneId",
    "routeId",
    "databaseId",
    "startDatabaseId",
    "startWaypointId",
    "startRps",
  ].some((name) => name in fields) ||
  pgn === 129808 ||
  pgn === 127512 ||
  Object.keys(fields).some((name) => name.endsWith("Command"));

/** `engineSpeedRpm` is "Engine speed". */
function labelOf(name: string): string {
  const bare = name.replace(
    /(?<=[a-z\d])(DegPerMin|DegPerSec|Deg|Kpa|Percent|Pct|Rpm|Liters|Lh|Ah|Hz|Hours|Min|Ms|Ppm|Pa|Nm|Knots|[ACLMVW])$/,
    "",
  );
  const words = bare.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const textsOf = (field: Extract<Field, { kind: "choice" }>): readonly (string | number)[] => [
  ...new Set([...Object.values(field.choices), ...(field.otherwise === undefined ? [] : [field.otherwise])]),
];

const enumeration = (options: readonly unknown[]): Readonly<Record<string, unknown>> => ({
  platform: "sensor",
  device_class: "enum",
  options,
});

function entityOf(name: string, field: Field): FieldEntity | undefined {
  const entity = { member: name, label: labelOf(name), isText: false };
  switch (field.kind) {
    case "number": {
      const isCode = field.unit === undefined && field.integer && !name.startsWith("numberOf");
      const measure = measureOf(name, field.unit);
      if (isCode || measure === undefined) return undefined;
      const precision = Math.min(field.scale.decimals, /itude$/.test(name) ? 6 : 2);
      return { ...entity, options: { platform: "sensor", ...measure, suggested_display_precision: precision } };
    }
    case "choice": {
      const texts = textsOf(field);
      if (typeof texts[0] === "string") return { ...entity, options: enumeration(texts), isText: true };
      return { ...entity, options: { platform: "sensor", ...measureOf(name, field.unit) } };
    }
    case "flag":
    case "aboveZero":
      return { ...entity, options: { platform: "binary_sensor", payload_on: "True", payload_off: "False" } };
    default:
      return undefined;
  }
}

/** The entries of a list that are numbered from 1 to a fixed last one: a switch each. */
function entriesOf(name: string, field: Extract<Field, { kind: "repeat" }>): FieldEntity[] {
  const { numbered, group } = field;
  if (numbered === undefined) return [];
  return Object.entries(group).flatMap(([member, inner]) => {
    const entity = member.startsWith("_") ? undefined : entityOf(member, inner);
    return entity === undefined
      ? []
      : [{ ...entity, member: name, entry: { numbered, member }, label: labelOf(numbered) }];
  });
}

/** Undefined when a message has nothing that is worth an entity. */
export function entitiesOf(definition: Definition): MessageEntities | undefined {
  if (isAboutOthers(definition)) return undefined;
  const fields = publishedFields(definition);
  const identity = fields.filter(({ name, field }) => isInstance(name) || (kinds.has(name) && field.kind === "choice"));
  const entities = fields.flatMap(({ name, field }): readonly FieldEntity[] => {
    if (identity.some((each) => each.name === name)) return [];
    if (field.kind === "repeat") return entriesOf(name, field);
    const entity = entityOf(name, field);
    return entity === undefined ? [] : [entity];
  });
  if (entities.length === 0) return undefined;
  const title = definition.title.replace(/ \((10 Hz|deprecated)\)|, Rapid Update.*$/g, "");
  return { title, identity: identity.map(({ name }) => name), entities };
}

/** Text or number as Jinja reads it; texts are those of our own lists. */
const literal = (value: unknown): string => JSON.stringify(value);

/**
 * Jinja that gives the value of an entity. What a message does not carry is `None`, which Home Assistant shows as unknown.
 * A message about another instance changes nothing: numbers and binary sensors ignore an empty text, others keep their state.
 */
export function valueTemplate(
  { member, entry, isText }: FieldEntity,
  identity: Readonly<Record<string, unknown>>,
  number?: number,
): string {
  const data = "value_json.data";
  const value =
    entry === undefined
      ? `${data}.${member} | default(None)`
      : `(${data}.${member} | default([]) | selectattr('${entry.numbered}', 'eq', ${number}) | first | default({})).${entry.member} | default(None)`;
  const conditions = Object.entries(identity).map(([name, is]) =>
    is === undefined ? `${data}.${name} is not defined` : `${data}.${name} == ${literal(is)}`,
  );
  if (conditions.length === 0) return `{{ ${value} }}`;
  const kept = isText ? "{{ this.state if this.state not in ['unknown', 'unavailable'] else None }}" : "";
  return `{% if ${conditions.join(" and ")} %}{{ ${value} }}{% else %}${kept}{% endif %}`;
}
