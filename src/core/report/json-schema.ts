/** Schemas of reports as JSON Schema (draft 2020-12), for consumers. */
import * as z from "zod";
import { type Marks, marksOf } from "./marks.ts";
import { decimalsOf } from "./number.ts";

/** The unit and side of a number. Not a keyword of JSON text: strict validators refuse keywords of our own. */
export const MARKS = Symbol("marks");

/** The part of JSON Schema that is used here. */
export interface JsonSchema {
  readonly [MARKS]?: { readonly unit?: string | undefined; readonly side?: Marks["side"] };
  readonly $schema?: string;
  readonly $id?: string;
  readonly title?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
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
}

export const DRAFT = "https://json-schema.org/draft/2020-12/schema";

/**
 * Patterns in place of `format`, which validators refuse unless it is registered; the patterns of zod are ten times as
 * long.
 */
const patterns: Readonly<Record<string, string>> = {
  date: "^\\d{4}-\\d\\d-\\d\\d$",
  "date-time": "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$",
};

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"]>;

const override: Override = ({ zodSchema, jsonSchema }) => {
  // Only the limits that the schema states, not those of JavaScript's integers.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format !== undefined) {
    const pattern = patterns[jsonSchema.format];
    if (pattern !== undefined) jsonSchema.pattern = pattern;
    delete jsonSchema.format;
  }
  if (Number.isInteger(jsonSchema.const)) jsonSchema.type = "integer";
  if (zodSchema instanceof z.ZodBigInt) {
    jsonSchema.type = "integer";
    jsonSchema.minimum = Number(zodSchema.minValue);
  }
  if (zodSchema instanceof z.ZodNumber) jsonSchema.decimals = decimalsOf(zodSchema);
  const { unit, side } = marksOf(zodSchema);
  if (unit !== undefined) jsonSchema.$marks = { unit, ...(side && { side }) };
};

const joined = (...parts: readonly (string | undefined)[]): string | undefined =>
  parts.filter((part) => part !== undefined).join(", ") || undefined;

/** Puts decimals into the description, marks behind their symbol, and the description of a nullable value where readers look for it. */
function described(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  const {
    decimals = 0,
    $marks,
    ...stated
  } = value as JsonSchema & { decimals?: number; $marks?: JsonSchema[typeof MARKS] };
  const schema: JsonSchema = $marks === undefined ? stated : { ...stated, [MARKS]: $marks };
  const [number, nothing] = schema.anyOf ?? [];
  if (nothing?.type === "null") {
    const { description, ...rest } = number!;
    const all = joined(schema.description, description);
    return { ...schema, anyOf: [rest, nothing], ...(all !== undefined && { description: all }) };
  }
  if (decimals === 0) return schema;
  const text = decimals === 1 ? "1 decimal" : `${decimals} decimals`;
  return { ...schema, description: joined(schema.description, text) };
}

/** A schema read as JSON Schema; the decimals of a number are part of its description. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { override, unrepresentable: "any" });
  return JSON.parse(JSON.stringify(rest), described) as JsonSchema;
}
