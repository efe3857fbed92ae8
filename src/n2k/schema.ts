/** A definition read as JSON Schema (draft 2020-12): what a consumer of the topic may count on. */
import { alsoNumber, rawLimits, scaling } from "./compile.ts";
import type { Definition, Field, Fields, NumberField, Origin } from "./field.ts";
import { publishedFields } from "./layout.ts";

/** As much of JSON Schema as is written here. `x-` members are annotations, which validators pass over. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly $id?: string;
  readonly title?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  readonly "x-unit"?: string;
  readonly "x-origin"?: Origin;
  /** The document names the topic without this member. */
  readonly "x-beyond-document"?: boolean;
}

export const DRAFT = "https://json-schema.org/draft/2020-12/schema";

/** The published number of a raw one. */
export function publishedValue(field: NumberField, raw: number): number {
  const { factor, divisor, addend } = scaling(field.scale);
  return (Math.round((raw * factor) / divisor + addend) + 0) / 10 ** field.scale.decimals;
}

function numberSchema(field: NumberField, base = field): JsonSchema {
  const [low, high] = rawLimits(base);
  return {
    type: field.integer ? "integer" : "number",
    minimum: publishedValue(field, low),
    maximum: publishedValue(field, high),
    ...(field.unit !== undefined && { "x-unit": field.unit }),
  };
}

const unique = <Value>(values: readonly Value[]): readonly Value[] => [...new Set(values)];

function fieldSchema(field: Field, fields: Fields): JsonSchema {
  switch (field.kind) {
    case "number":
      return numberSchema(field);
    case "also": {
      const base = fields[field.of] as NumberField;
      return numberSchema(alsoNumber(base, field), base);
    }
    case "part":
      return {
        type: field.decimals === 0 ? "integer" : "number",
        minimum: 0,
        ...(field.modulo !== Number.POSITIVE_INFINITY && { maximum: field.modulo - 10 ** -field.decimals }),
      };
    case "digits":
      return { type: "string", pattern: "^\\d+$" };
    case "digitPairs":
      return { type: "string", pattern: `^\\d{${2 * field.bytes}}$` };
    case "choice": {
      const values = unique([
        ...Object.values(field.choices),
        ...(field.otherwise === undefined ? [] : [field.otherwise]),
      ]);
      return {
        type: typeof values[0] === "number" ? "number" : "string",
        enum: values,
        ...(field.unit !== undefined && { "x-unit": field.unit }),
      };
    }
    case "alsoChoice":
      return { type: "string", enum: unique(Object.values(field.choices)) };
    case "flag":
    case "aboveZero":
      return { type: "boolean" };
    case "text":
      return { type: "string", minLength: 1, maxLength: field.bytes };
    case "lauText":
      return { type: "string", minLength: 1, maxLength: 253 };
    case "hex":
      return { type: "string", pattern: "^([0-9a-f]{2})+$" };
    case "length":
      return { type: "integer", minimum: 1, maximum: 253 };
    case "sourceAddress":
      return { type: "integer", minimum: 0, maximum: 253 };
    case "never":
      return { type: field.type };
    case "repeat": {
      const { numbered, times } = field;
      const number = { type: "integer", minimum: 1, ...(times !== undefined && { maximum: times }) };
      return {
        type: "array",
        items: {
          type: "object",
          properties: { ...(numbered !== undefined && { [numbered]: number }), ...properties({ fields: field.group }) },
          ...(numbered !== undefined && { required: [numbered] }),
          additionalProperties: false,
        },
        ...(times !== undefined && { maxItems: times }),
      };
    }
    default:
      throw new TypeError(`a ${field.kind} is not published`);
  }
}

const properties = (definition: Pick<Definition, "fields" | "order">): Record<string, JsonSchema> =>
  Object.fromEntries(
    publishedFields(definition).map(({ name, field, when }) => {
      const codes =
        field.kind !== "number" ? [] : Object.entries(field.codes ?? {}).map(([code, text]) => `${code} ${text}`);
      const remarks = [codes.join(", "), when, "note" in field ? field.note : undefined];
      const note = remarks.filter((each) => each !== undefined && each !== "").join("; ");
      return [name, { ...fieldSchema(field, definition.fields), ...(note !== "" && { description: note }) }];
    }),
  );

/** The envelope's metadata; the navigation report has one more member and another expiry. */
export const metadataSchema = (
  expireAfterSec: number,
  more: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema => ({
  type: "object",
  properties: {
    rxDate: { type: "string", format: "date-time", description: "receive time" },
    rxTimestamp: { type: "integer", description: "receive time, whole seconds since 1970-01-01" },
    expireAfterSec: { type: "integer", const: expireAfterSec },
    ...more,
  },
  required: ["rxDate", "rxTimestamp", "expireAfterSec", ...Object.keys(more)],
  additionalProperties: false,
});

/** Everything published is an envelope of data and metadata. */
export const envelopeSchema = (data: JsonSchema, metadata: JsonSchema = metadataSchema(60)): JsonSchema => ({
  type: "object",
  properties: { data, metadata },
  required: ["data", "metadata"],
  additionalProperties: false,
});

/** What the public message of a PGN of assumed layout brings along that the assumed one has not. */
const extra = (definition: Definition, other: Definition | undefined): Record<string, JsonSchema> => {
  if (other === undefined) return {};
  const own = new Set(publishedFields(definition).map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(properties(other))
      .filter(([name]) => !own.has(name))
      .map(([name, schema]) => [name, { ...schema, "x-beyond-document": true }]),
  );
};

/**
 * `data` of the topic of a PGN. Nothing but what is listed comes, save where the operator may give another layout.
 * `other` is the public message of a PGN of assumed layout.
 */
export function dataSchema(definition: Definition, other?: Definition): JsonSchema {
  const { pgn, origin, beyondDocument } = definition;
  const beyond = beyondDocument === true ? { "x-beyond-document": true } : {};
  // The public message may have a wider number under the same name.
  const shared = other === undefined ? {} : properties(other);
  const own = Object.entries(properties(definition)).map(([name, schema]): [string, JsonSchema] => [
    name,
    { ...wider(schema, shared[name]), ...beyond },
  ]);
  return {
    type: "object",
    ...(origin !== "nmea2000" && { "x-origin": origin }),
    properties: {
      pgn: { type: "integer", const: pgn },
      ...Object.fromEntries(own),
      ...extra(definition, other),
    },
    required: ["pgn"],
    ...(origin !== "assumed" && { additionalProperties: false }),
  };
}

function wider(schema: JsonSchema, other: JsonSchema | undefined): JsonSchema {
  if (other?.minimum === undefined || other.maximum === undefined) return schema;
  return {
    ...schema,
    minimum: Math.min(schema.minimum ?? other.minimum, other.minimum),
    maximum: Math.max(schema.maximum ?? other.maximum, other.maximum),
  };
}

/** Why a schema of a topic says what it says. */
const description = (definition: Definition): string | undefined => {
  const parts = [
    definition.origin === "assumed" &&
      "The layout is ASSUMED: no public source gives this PGN the meaning it has here. A message that is recognised as the public one has only the members that mean the same there.",
    definition.origin === "j1939" && "SAE J1939.",
    definition.beyondDocument && "All members but pgn are beyond the document, which names this PGN without fields.",
    definition.publicTitle !== undefined && `In public: ${definition.publicTitle}.`,
    definition.note !== undefined && `${definition.note[0]!.toUpperCase()}${definition.note.slice(1)}.`,
  ];
  const text = parts.filter((part) => typeof part === "string").join(" ");
  return text === "" ? undefined : text;
};

/** The message on the topic `{prefix}/device/{addr}/pgn/{pgn}`. */
export function messageSchema(definition: Definition, other?: Definition): JsonSchema {
  const text = description(definition);
  return {
    $schema: DRAFT,
    $id: `pgn-${definition.pgn}.schema.json`,
    title: `PGN ${definition.pgn}: ${definition.title}`,
    ...(text !== undefined && { description: text }),
    ...(definition.pgn === 130311 && { deprecated: true }),
    ...envelopeSchema(dataSchema(definition, other)),
  };
}
