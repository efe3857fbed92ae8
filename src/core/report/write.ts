/**
 * Writes values of a schema as JSON text in ASCII. The schema is read once, when the writer is made. Members are
 * written in the order of the schema and left out where the value has none; numbers are rounded to the decimals of the
 * schema.
 */
import * as z from "zod";
import { type AsciiBuffer, type EncodedText, encodeText } from "../text/ascii-buffer.ts";
import { formatOf, type NumberFormat, scaled } from "./number.ts";

export type Write<Value> = (out: AsciiBuffer, value: Value) => void;

const NULL = encodeText("null");
const TRUE = encodeText("true");
const FALSE = encodeText("false");
const COMMA = encodeText(",");
const COLON = encodeText(":");
const OPEN_ARRAY = encodeText("[");
const CLOSE_ARRAY = encodeText("]");

/**
 * The writer of a schema. Throws TypeError for kinds of schemas that no report has, such as a union.
 *
 * @example
 * const write = writerOf(z.strictObject({ depth: decimal(2), name: z.string().optional() })); write(out, { depth:
 * 12.3456 }); // {"depth":12.35}
 */
export function writerOf<Schema extends z.ZodType>(schema: Schema): Write<z.output<Schema>> {
  const form = formOf(schema);
  return (out, value) => writeValue(out, form, value);
}

/**
 * Writes the members of an object, each with a comma in front; `AsciiBuffer.closeObject` makes an object of them. For
 * an object that is written in parts.
 */
export function membersWriterOf<Shape extends z.ZodRawShape>(
  shape: Shape,
): Write<{ readonly [Name in keyof Shape]?: z.output<Shape[Name]> | undefined }> {
  const members = membersOf(shape);
  return (out, values) => writeMembers(out, members, values);
}

/**
 * A writer for each member of an object of numbers, as `membersWriterOf` writes it; undefined is left out. For members
 * that are written thousands of times a second, because none is looked up by its name.
 */
export const numberWritersOf = <Shape extends Readonly<Record<string, z.ZodOptional<z.ZodNumber>>>>(
  shape: Shape,
): { readonly [Name in keyof Shape]: Write<number | undefined> } =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, numberWriter(keyOf(name), formatOf(schema.unwrap()))]),
  ) as { readonly [Name in keyof Shape]: Write<number | undefined> };

const numberWriter =
  (key: EncodedText, format: NumberFormat): Write<number | undefined> =>
  (out, value) => {
    if (value !== undefined) out.member(key, scaled(value, format), format.decimals);
  };

const keyOf = (name: string): EncodedText => encodeText(`,${JSON.stringify(name)}:`);

/** Form in which the values of a schema are written. */
class Form {
  readonly kind: "number" | "text" | "flag" | "bigint" | "literal" | "scalar" | "object" | "list" | "record";
  readonly number: NumberFormat | undefined;
  readonly literal: EncodedText | undefined;
  readonly members: readonly Member[] | undefined;
  /** Form of the values of a list or record. */
  readonly inner: Form | undefined;

  constructor(kind: Form["kind"], { number, literal, members, inner }: Partial<Form> = {}) {
    this.kind = kind;
    this.number = number;
    this.literal = literal;
    this.members = members;
    this.inner = inner;
  }
}

interface Member {
  readonly name: string;
  readonly key: EncodedText;
  readonly form: Form;
}

const membersOf = (shape: z.core.$ZodLooseShape): readonly Member[] =>
  Object.entries(shape).map(([name, schema]) => ({ name, key: keyOf(name), form: formOf(schema) }));

function formOf(schema: z.core.$ZodType): Form {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return formOf(schema.unwrap());
  if (schema instanceof z.ZodObject) return new Form("object", { members: membersOf(schema.shape) });
  if (schema instanceof z.ZodArray) return new Form("list", { inner: formOf(schema.element) });
  if (schema instanceof z.ZodRecord) return new Form("record", { inner: formOf(schema.valueType) });
  if (schema instanceof z.ZodNumber) return new Form("number", { number: formatOf(schema) });
  if (schema instanceof z.ZodLiteral) return new Form("literal", { literal: encodeText(JSON.stringify(schema.value)) });
  switch (schema._zod.def.type) {
    case "string":
    case "enum":
      return new Form("text");
    case "boolean":
      return new Form("flag");
    case "bigint":
      return new Form("bigint");
    // A union of integers and texts.
    case "union":
      return new Form("scalar");
    default:
      throw new TypeError(`a report has no ${schema._zod.def.type}`);
  }
}

function writeMembers(out: AsciiBuffer, members: readonly Member[], values: object): void {
  const byName = values as Readonly<Record<string, unknown>>;
  for (const { name, key, form } of members) {
    const value = byName[name];
    if (value === undefined) continue;
    if (form.kind === "number" && value !== null) {
      const number = form.number!;
      out.member(key, scaled(value as number, number), number.decimals);
    } else {
      out.write(key);
      writeValue(out, form, value);
    }
  }
}

function writeValue(out: AsciiBuffer, form: Form, value: unknown): void {
  if (value === null) {
    out.write(NULL);
    return;
  }
  const begin = out.at;
  switch (form.kind) {
    case "number":
      out.fixed(scaled(value as number, form.number!), form.number!.decimals);
      break;
    case "text":
      out.quoted(value as string);
      break;
    case "flag":
      out.write(value ? TRUE : FALSE);
      break;
    case "bigint":
      out.ascii(String(value));
      break;
    case "literal":
      out.write(form.literal!);
      break;
    case "scalar":
      if (typeof value === "number") out.fixed(value, 0);
      else out.quoted(value as string);
      break;
    case "object":
      writeMembers(out, form.members!, value as object);
      out.closeObject(begin);
      break;
    case "list":
      writeList(out, form.inner!, value as readonly unknown[]);
      break;
    case "record":
      writeEntries(out, form.inner!, value as Readonly<Record<string, unknown>>);
      out.closeObject(begin);
  }
}

function writeList(out: AsciiBuffer, form: Form, values: readonly unknown[]): void {
  out.write(OPEN_ARRAY);
  values.forEach((value, index) => {
    if (index > 0) out.write(COMMA);
    writeValue(out, form, value);
  });
  out.write(CLOSE_ARRAY);
}

function writeEntries(out: AsciiBuffer, form: Form, values: Readonly<Record<string, unknown>>): void {
  for (const name in values) {
    out.write(COMMA);
    out.quoted(name);
    out.write(COLON);
    writeValue(out, form, values[name]);
  }
}
