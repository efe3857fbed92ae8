/** Makes forms of schemas, by which messages are read (form.ts). A schema is read once; zod's own parse costs ten times as much. */
import * as z from "zod";
import type { NamesAsText } from "../text/quote-names.ts";
import { type Form, type Limit, MAX_ITEMS, type Pattern, type Read, readerOfForm } from "./form.ts";

/** The type of the values that a schema's reader returns: NAMEs as text. */
export type Readable<Schema extends z.ZodType> = NamesAsText<z.output<Schema>>;

/**
 * The reader of a schema. Texts of an enumeration are not compared, because a newer program has more of them. A loose
 * schema (`z.ZodObject.loose`) keeps members that it does not name if they are numbers, texts, flags or records of
 * these.
 *
 * @example
 * const read = readerOf(z.strictObject({ depth: decimal(2), name: z.string().optional() })); read({ depth: 12.3, name:
 * 5 }) // { depth: 12.3 } read({ depth: "12.3" })        // undefined
 */
export const readerOf = <Schema extends z.ZodType>(schema: Schema): Read<Readable<Schema>> =>
  readerOfForm(formOf(schema)) as Read<Readable<Schema>>;

/** Throws for a schema that says more than a form can. */
export function formOf(schema: z.core.$ZodType): Form {
  if (schema instanceof z.ZodOptional) return formOf(schema.unwrap());
  if (schema instanceof z.ZodNullable) return { is: "nullable", of: formOf(schema.unwrap()) };
  if (schema instanceof z.ZodObject) return objectForm(schema);
  if (schema instanceof z.ZodArray) {
    const { maximum = MAX_ITEMS } = schema._zod.bag as { readonly maximum?: number };
    return { is: "list", of: formOf(schema.element), most: maximum };
  }
  if (schema instanceof z.ZodRecord) return { is: "record", of: formOf(schema.valueType) };
  if (schema instanceof z.ZodUnion) return { is: "either", of: schema.options.map(formOf) };
  const { type } = schema._zod.def;
  if (type === "enum") return { is: "text" };
  if (type === "bigint") return { is: "name" };
  if (type === "boolean") return { is: "flag" };
  if (type === "string" || type === "number") return limitedForm(schema);
  throw new TypeError(`no form for ${type}`);
}

function objectForm(schema: z.ZodObject): Form {
  const members = Object.entries(schema.shape).map(
    ([name, one]) => [name, { form: formOf(one), isNeeded: !(one instanceof z.ZodOptional) }] as const,
  );
  const isLoose = schema._zod.def.catchall?._zod.def.type === "unknown";
  return { is: "object", members: Object.fromEntries(members), isLoose };
}

/** A check of zod on a number or text. */
interface Check {
  readonly check?: string;
  readonly format?: string;
  readonly value?: number;
  readonly inclusive?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: RegExp;
}

function limitedForm({ _zod: { def } }: z.core.$ZodType): Form {
  const checks = [def as Check, ...(def.checks ?? []).map((check) => check._zod.def as Check)];
  const is = def.type === "string" ? "text" : checks.some(({ format }) => format === "safeint") ? "integer" : "number";
  const [limits, patterns]: [Limit[], Pattern[]] = [[], []];
  for (const { check, format, value = 0, inclusive = false, minimum = 0, maximum = 0, pattern } of checks)
    if (check === "greater_than") limits.push({ is: inclusive ? "atLeast" : "above", limit: value });
    else if (check === "less_than") limits.push({ is: inclusive ? "atMost" : "below", limit: value });
    else if (check === "min_length") limits.push({ is: "atLeast", limit: minimum });
    else if (check === "max_length") limits.push({ is: "atMost", limit: maximum });
    else if (check === "string_format" && pattern !== undefined) patterns.push([pattern.source, pattern.flags]);
    else if (check !== undefined && !(check === "number_format" && format === "safeint"))
      throw new TypeError(`no form for ${check} ${format}`);
  return { is, ...(limits.length > 0 && { limits }), ...(patterns.length > 0 && { patterns }) };
}
