/** A definition read as JSON Schema (draft 2020-12). Units and other remarks stand in descriptions, units in marks too. */
import * as z from "zod";
import { envelopeOf } from "../report/envelope.ts";
import { DRAFT, type JsonSchema, jsonSchemaOf, MARKS } from "../report/json-schema.ts";
import { groupedBy } from "../util/grouped.ts";
import type { Definition } from "./definition.ts";
import { type ChoiceField, type Field, type Fields, joinedBits, type NumberField, type RepeatField } from "./field.ts";
import { unitOf } from "./label.ts";
import { keyNames, publishedFields } from "./layout.ts";
import { alsoNumber, rawLimits, scaling } from "./scaling.ts";

/**
 * The published number of a raw one.
 *
 * @example publishedValue(batteryStatus.fields.voltageV, 1250) // 12.5
 */
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
  };
}

const unique = <Value>(values: readonly Value[]): readonly Value[] => [...new Set(values)];

function choiceSchema({ choices, otherwise, open }: ChoiceField): JsonSchema {
  const values = unique([...Object.values(choices), ...(otherwise === undefined ? [] : [otherwise])]);
  // The list of codes may lack some, whose digits are published. Generators of code need the type in each alternative.
  if (open)
    return {
      anyOf: [
        { type: "string", enum: values },
        { type: "string", pattern: "^\\d+$" },
      ],
    };
  return { type: typeof values[0] === "number" ? "number" : "string", enum: values };
}

function repeatSchema({ group, numbered, times }: RepeatField): JsonSchema {
  const number = { type: "integer", minimum: 1, ...(times !== undefined && { maximum: times }) };
  return {
    type: "array",
    items: {
      type: "object",
      properties: {
        ...(numbered !== undefined && { [numbered]: number }),
        ...Object.fromEntries(properties({ fields: group })),
      },
      ...(numbered !== undefined && { required: [numbered] }),
      additionalProperties: false,
    },
    ...(times !== undefined && { maxItems: times }),
  };
}

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
    case "joined":
      return { type: "integer", minimum: 0, maximum: 2 ** joinedBits(field, fields) - 1 };
    case "digits":
      return { type: "string", pattern: "^\\d+$" };
    case "digitPairs":
      return { type: "string", pattern: `^\\d{${2 * field.bytes}}$` };
    case "choice":
      return choiceSchema(field);
    case "bits":
      return { type: "array", items: { type: "string" }, maxItems: field.wire.bits };
    case "constant":
      return { type: "string", const: field.value };
    case "alsoChoice":
      return { type: "string", enum: unique(Object.values(field.choices)) };
    case "flag":
    case "aboveZero":
      return { type: "boolean" };
    case "text":
      return { type: "string", minLength: 1, maxLength: field.bytes };
    case "lauText":
    case "lzText":
      return { type: "string", minLength: 1, maxLength: 253 };
    case "hex":
      return { type: "string", pattern: "^([0-9a-f]{2})+$" };
    case "length":
      return { type: "integer", minimum: 1, maximum: 253 };
    case "sourceAddress":
      return { type: "integer", minimum: 0 };
    case "never":
      return { type: field.type };
    case "repeat":
      return repeatSchema(field);
    default:
      throw new TypeError(`a ${field.kind} is not published`);
  }
}

/** The parts of a description that are not empty, joined. */
const joined = (parts: readonly (string | false | undefined)[], separator: string): string =>
  parts.filter((part) => typeof part === "string" && part !== "").join(separator);

/** Values of different layouts under one name are any of them. */
function anyOf(list: readonly [string, JsonSchema][]): [string, JsonSchema][] {
  return [...groupedBy(list, ([name]) => name)].map(([name, all]) => {
    const schemas = [...new Map(all.map(([, schema]) => [JSON.stringify(schema), schema])).values()];
    return [name, schemas.length === 1 ? schemas[0]! : { anyOf: schemas }];
  });
}

/** Names of the bits of a number; empty without them. */
export const bitsText = (names: readonly string[] = []): string =>
  names.map((name, bit) => `${bit === 0 ? "bit " : ""}${bit} ${name}`).join(", ");

const properties = (definition: Pick<Definition, "fields" | "order">, beyondDocument = false): [string, JsonSchema][] =>
  anyOf(
    publishedFields(definition).map(({ name, field, when }) => {
      const unit = unitOf(field, definition.fields);
      const codes = field.kind === "number" ? Object.entries(field.codes ?? {}) : [];
      const parts = [
        unit && `unit: ${unit}`,
        codes.map(([code, text]) => `${code} ${text}`).join(", "),
        field.kind === "number" && bitsText(field.bits),
        when,
        field.note,
        beyondDocument && "beyond the document",
      ];
      const description = joined(parts, "; ");
      return [
        name,
        {
          ...fieldSchema(field, definition.fields),
          ...(description !== "" && { description }),
          ...(unit && { [MARKS]: { unit } }),
        },
      ];
    }),
  );

const envelope = jsonSchemaOf(envelopeOf(z.strictObject({})));

export const messageOf = (data: JsonSchema): JsonSchema => ({
  ...envelope,
  properties: { ...envelope.properties, data },
});

/**
 * `data` of the topic of a PGN. `other` is the public message of a PGN of assumed layout, whose members are possible
 * too; the operator may define another layout for such a PGN, so that any other members are permitted.
 */
export function dataSchema(definition: Definition, other?: Definition): JsonSchema {
  const { pgn, origin } = definition;
  const own = Object.fromEntries(properties(definition));
  const others = other === undefined ? [] : properties(other, true);
  const shared = Object.fromEntries(others.filter(([name]) => name in own));
  return {
    type: "object",
    properties: {
      pgn: { type: "integer", const: pgn },
      ...Object.fromEntries(Object.entries(own).map(([name, schema]) => [name, wider(schema, shared[name])])),
      ...Object.fromEntries(others.filter(([name]) => !(name in own))),
    },
    required: ["pgn"],
    ...(origin !== "assumed" && { additionalProperties: false }),
  };
}

/** The public message may have a wider number under the same name. */
function wider(schema: JsonSchema, other: JsonSchema | undefined): JsonSchema {
  if (other?.minimum === undefined || other.maximum === undefined) return schema;
  return {
    ...schema,
    minimum: Math.min(schema.minimum ?? other.minimum, other.minimum),
    maximum: Math.max(schema.maximum ?? other.maximum, other.maximum),
  };
}

/** With a capital letter and a full stop. */
export const sentence = (text: string): string =>
  `${text[0]!.toUpperCase()}${text.slice(1)}${/[.!]$/.test(text) ? "" : "."}`;

/**
 * A title of letters, digits and blanks, of which generators of code make names of types.
 *
 * @example titleOfType("PGN 65256: Vehicle Direction/Speed") // "PGN 65256 Vehicle Direction Speed"
 */
export const titleOfType = (title: string): string => title.replaceAll(/[^\p{L}\d]+/gu, " ").trim();

const beyond = {
  fields: "All members but pgn are beyond the document, which names this PGN without fields.",
  message: "The document does not have this PGN.",
} as const;

const descriptionOf = (definition: Definition): string => {
  const { origin, beyondDocument, publicTitle, note, event } = definition;
  const keys = keyNames(definition);
  return joined(
    [
      origin === "assumed" &&
        "The layout is ASSUMED: no public source gives this PGN the meaning it has here. A message that is detected as the public one has only the members that have the same meaning there.",
      origin === "j1939" && "SAE J1939.",
      beyondDocument && beyond[beyondDocument],
      publicTitle && `Public title: ${publicTitle}.`,
      note && sentence(note),
      keys.length > 0 &&
        `Messages with different ${keys.map((name) => name.replace(/^_/, "")).join(", ")} are separate streams.`,
      event && "Every message counts; no rate limit drops one.",
    ],
    " ",
  );
};

/**
 * The messages that share a PGN: any of those in the order in which they are tried.
 *
 * @example messagesSchema([fusionSource, fusionTrackInfo]).properties.data.anyOf.length // 2
 */
export function messagesSchema(definitions: readonly [Definition, ...Definition[]], title: string): JsonSchema {
  const [{ pgn }] = definitions;
  return {
    $schema: DRAFT,
    $id: `pgn-${pgn}.schema.json`,
    title: titleOfType(`PGN ${pgn} ${title}`),
    description: "The document does not have this PGN, which several messages share.",
    ...messageOf({
      anyOf: definitions.map((definition) => ({ title: titleOfType(definition.title), ...dataSchema(definition) })),
    }),
  };
}

/**
 * The message on the topic `{prefix}/device/{addr}/pgn/{pgn}`.
 *
 * @example messageSchema(vesselHeading).properties.data.properties.headingDeg.maximum // 360
 */
export function messageSchema(definition: Definition, other?: Definition): JsonSchema {
  const description = descriptionOf(definition);
  return {
    $schema: DRAFT,
    $id: `pgn-${definition.pgn}.schema.json`,
    title: titleOfType(`PGN ${definition.pgn} ${definition.title}`),
    ...(description !== "" && { description }),
    ...(definition.deprecated && { deprecated: true }),
    ...messageOf(dataSchema(definition, other)),
  };
}
