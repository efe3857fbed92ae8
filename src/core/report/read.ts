/**
 * Reads values of a schema from messages that any client of a broker may have published, also a program of another
 * version. The schema is read once, when the reader is made. Parts that do not fit are left out: optional members,
 * items of a list, entries of a record. An object without a required member does not fit as a whole. NAMEs are the text
 * of their digits.
 */

import * as z from "zod";
import type { NamesAsText } from "../text/quote-names.ts";
import { isRecord } from "../util/is-record.ts";

/** The parts of the value that fit; undefined if it does not fit as a whole. */
type Read<Value> = (value: unknown) => Value | undefined;

/** Maximum items of a list and entries of a record, if the schema has no maximum. */
export const MAX_ITEMS = 1000;
/** Above the numbers of every field of a bus; calculations with larger numbers may give Infinity. */
const MAX_NUMBER = 2 ** 64;
/** Maximum characters of a text. The longest text that hub publishes is a message of a fast packet as JSON. */
const MAX_TEXT = 5000;

/**
 * The reader of a schema. Texts of an enumeration are not compared, because a newer program has more of them. A loose
 * schema (`z.ZodObject.loose`) keeps members that it does not name if they are numbers, texts, flags or records of
 * these.
 *
 * @example
 * const read = readerOf(z.strictObject({ depth: decimal(2), name: z.string().optional() })); read({ depth: 12.3, name:
 * 5 }) // { depth: 12.3 } read({ depth: "12.3" })        // undefined
 */
export const readerOf = <Schema extends z.ZodType>(schema: Schema): Read<NamesAsText<z.output<Schema>>> =>
  formReader(schema) as Read<NamesAsText<z.output<Schema>>>;

function formReader(schema: z.core.$ZodType): Read<unknown> {
  if (schema instanceof z.ZodOptional) return formReader(schema.unwrap());
  if (schema instanceof z.ZodNullable) {
    const read = formReader(schema.unwrap());
    return (value) => (value === null ? null : read(value));
  }
  if (schema instanceof z.ZodObject) return objectReader(schema);
  if (schema instanceof z.ZodArray) return listReader(schema);
  if (schema instanceof z.ZodRecord) return recordReader(formReader(schema.valueType));
  switch (schema._zod.def.type) {
    case "enum":
      return readText;
    case "bigint":
      return (value) => (typeof value === "string" && /^\d{1,20}$/.test(value) ? value : undefined);
    case "string":
      return (
        limitReader(schema, (value) => readText(value)) ??
        ((value) => (z.safeParse(schema, readText(value)).success ? (value as string) : undefined))
      );
    case "number":
      return (
        limitReader(schema, "format" in schema._zod.def ? readInteger : readNumber) ??
        ((value) => (z.safeParse(schema, readNumber(value)).success ? (value as number) : undefined))
      );
    default:
      return (value) => (z.safeParse(schema, value).success ? value : undefined);
  }
}

/** A limit of a number or of the length of a text. */
interface Limit {
  readonly check: string;
  readonly value: number;
  readonly inclusive?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Whether a value is within a limit of a schema. */
const tests: Readonly<Record<string, (limit: Limit) => (value: never) => boolean>> = {
  greater_than: ({ value: limit, inclusive }) =>
    inclusive ? (one: number) => one >= limit : (one: number) => one > limit,
  less_than: ({ value: limit, inclusive }) =>
    inclusive ? (one: number) => one <= limit : (one: number) => one < limit,
  min_length:
    ({ minimum = 0 }) =>
    (one: string) =>
      one.length >= minimum,
  max_length:
    ({ maximum = 0 }) =>
    (one: string) =>
      one.length <= maximum,
};

/**
 * The reader of a number or text by its limits alone; undefined if its schema has more. zod's own parse takes ten times
 * as long, and a report of a thousand ships has twenty thousand members.
 */
function limitReader<Value>({ _zod: { def } }: z.core.$ZodType, read: Read<Value>): Read<Value> | undefined {
  const limits = (def.checks ?? []).map((check) => check._zod.def as unknown as Limit);
  const { check, format } = def as { readonly check?: string; readonly format?: string };
  if (limits.some((limit) => tests[limit.check] === undefined) || (check ?? "number_format") !== "number_format")
    return;
  if (format !== undefined && format !== "safeint") return;
  const all = limits.map((limit) => tests[limit.check]!(limit) as (value: Value) => boolean);
  return (value) => {
    const one = read(value);
    return one !== undefined && all.every((test) => test(one)) ? one : undefined;
  };
}

const readInteger: Read<number> = (value) => (Number.isSafeInteger(value) ? (value as number) : undefined);

type JsonObject = Readonly<Record<string, unknown>>;

function objectReader(schema: z.ZodObject): Read<JsonObject> {
  const members = Object.entries(schema.shape).map(([name, one]) => ({
    name,
    read: formReader(one),
    isNeeded: !(one instanceof z.ZodOptional),
  }));
  const isLoose = schema._zod.def.catchall?._zod.def.type === "unknown";
  const names = new Set(members.map(({ name }) => name));
  return (value) => {
    if (!isRecord(value)) return undefined;
    const read: [string, unknown][] = isLoose ? looseEntries(value).filter(([name]) => !names.has(name)) : [];
    for (const { name, read: readMember, isNeeded } of members) {
      const member = readMember(value[name]);
      if (member !== undefined) read.push([name, member]);
      else if (isNeeded) return undefined;
    }
    return Object.fromEntries(read);
  };
}

function listReader(schema: z.ZodArray): Read<readonly unknown[]> {
  const read = formReader(schema.element);
  const { maximum = MAX_ITEMS } = schema._zod.bag as { readonly maximum?: number };
  return (value) =>
    Array.isArray(value)
      ? value
          .slice(0, maximum)
          .map(read)
          .filter((item) => item !== undefined)
      : undefined;
}

const recordReader =
  (read: Read<unknown>): Read<JsonObject> =>
  (value) =>
    isRecord(value) ? Object.fromEntries(readEntries(value, read)) : undefined;

const readEntries = (value: JsonObject, read: Read<unknown>): [string, unknown][] =>
  Object.entries(value)
    .slice(0, MAX_ITEMS)
    .map(([name, one]): [string, unknown] => [name, read(one)])
    .filter(([, one]) => one !== undefined);

export const readText: Read<string> = (value) =>
  typeof value === "string" && value.length <= MAX_TEXT ? value : undefined;

/** `JSON.parse` makes Infinity of 1e999. */
export const readNumber: Read<number> = (value) =>
  typeof value === "number" && Math.abs(value) <= MAX_NUMBER ? value : undefined;

/** A number, text or flag. */
export const readScalar: Read<number | string | boolean> = (value) =>
  typeof value === "boolean" ? value : (readNumber(value) ?? readText(value));

const readScalars = recordReader(readScalar);

const looseEntries = (value: JsonObject): [string, unknown][] =>
  readEntries(value, (one) => readScalar(one) ?? readScalars(one));
