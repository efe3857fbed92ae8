/**
 * Writes values of a schema as JSON text in ASCII. The schema is walked once, when the writer is made. Members are written in the
 * order of the schema and left out where the value has none; numbers are rounded to the decimals of the schema.
 */
import * as z from "zod";
import { type AsciiBuffer, type EncodedText, encodeText } from "../text/ascii-buffer.ts";
import { formatOf, type NumberFormat } from "./number.ts";

export type Write<Value> = (out: AsciiBuffer, value: Value) => void;

const NULL = encodeText("null");
const TRUE = encodeText("true");
const FALSE = encodeText("false");
const COMMA = encodeText(",");
const OPEN_ARRAY = encodeText("[");
const CLOSE_ARRAY = encodeText("]");

/**
 * The writer of a schema.
 *
 * @example
 * const write = writerOf(z.strictObject({ depth: decimal(2), name: z.string().optional() }));
 * write(out, { depth: 12.3456 }); // {"depth":12.35}
 */
export function writerOf<Schema extends z.ZodType>(schema: Schema): Write<z.output<Schema>> {
  const layout = layoutOf(schema);
  return (out, value) => writeValue(out, layout, value);
}

/**
 * Writes the members of an object, each with a comma in front; `AsciiBuffer.closeObject` makes an object of them. For an object
 * that is written in parts.
 */
export function membersWriterOf<Shape extends z.ZodRawShape>(
  shape: Shape,
): Write<{ readonly [Name in keyof Shape]?: z.output<Shape[Name]> | undefined }> {
  const members = membersOf(shape);
  return (out, value) => writeMembers(out, members, value);
}

/** As much of a schema as writing needs. */
interface Layout {
  /** Of numbers. */
  readonly format: NumberFormat | undefined;
  /** Of an object. */
  readonly members: readonly Member[];
  /** Of a list or of a record, whose values are all of one kind. */
  readonly items: Layout | undefined;
}

interface Member {
  readonly name: string;
  readonly key: EncodedText;
  readonly layout: Layout;
}

const plain: Layout = { format: undefined, members: [], items: undefined };

function layoutOf(schema: z.ZodType): Layout {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return layoutOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodObject) return { ...plain, members: membersOf(schema.shape) };
  if (schema instanceof z.ZodArray) return { ...plain, items: layoutOf(schema.element as z.ZodType) };
  if (schema instanceof z.ZodRecord) return { ...plain, items: layoutOf(schema.valueType as z.ZodType) };
  if (schema instanceof z.ZodNumber) return { ...plain, format: formatOf(schema) };
  if (schema instanceof z.ZodLiteral) return { ...plain, format: integer };
  if (["string", "enum", "boolean", "bigint"].includes(schema.def.type)) return plain;
  throw new TypeError(`a report has no ${schema.def.type}`);
}

const integer = formatOf(z.int());

const membersOf = (shape: z.ZodRawShape): readonly Member[] =>
  Object.entries(shape).map(([name, schema]) => ({
    name,
    key: encodeText(`,${JSON.stringify(name)}:`),
    layout: layoutOf(schema as z.ZodType),
  }));

type Values = Readonly<Record<string, unknown>>;

function writeMembers(out: AsciiBuffer, members: readonly Member[], values: Values): void {
  for (const { name, key, layout } of members) {
    const value = values[name];
    if (typeof value === "number") out.member(key, layout.format!.scale(value), layout.format!.decimals);
    else if (value !== undefined) {
      out.write(key);
      writeValue(out, layout, value);
    }
  }
}

function writeValue(out: AsciiBuffer, layout: Layout, value: unknown): void {
  switch (typeof value) {
    case "number":
      return out.fixed(layout.format!.scale(value), layout.format!.decimals);
    case "string":
      return out.quoted(value);
    case "boolean":
      return out.write(value ? TRUE : FALSE);
    case "bigint":
      return out.ascii(String(value));
    default:
      if (value === null) out.write(NULL);
      else if (Array.isArray(value)) writeList(out, layout.items!, value);
      else if (layout.items !== undefined) writeRecord(out, layout.items, value as Values);
      else writeObject(out, layout.members, value as Values);
  }
}

function writeObject(out: AsciiBuffer, members: readonly Member[], values: Values): void {
  const begin = out.at;
  writeMembers(out, members, values);
  out.closeObject(begin);
}

function writeRecord(out: AsciiBuffer, items: Layout, values: Values): void {
  const begin = out.at;
  for (const [name, value] of Object.entries(values)) {
    out.write(COMMA);
    out.quoted(name);
    out.ascii(":");
    writeValue(out, items, value);
  }
  out.closeObject(begin);
}

function writeList(out: AsciiBuffer, items: Layout, values: readonly unknown[]): void {
  out.write(OPEN_ARRAY);
  values.forEach((value, index) => {
    if (index > 0) out.write(COMMA);
    writeValue(out, items, value);
  });
  out.write(CLOSE_ARRAY);
}
