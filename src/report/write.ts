/**
 * Writes values of a schema as JSON text in ASCII. A schema becomes a function when the writer is made. Members are written in the
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
const COLON = encodeText(":");
const OPEN_ARRAY = encodeText("[");
const CLOSE_ARRAY = encodeText("]");

/**
 * The writer of a schema. Throws TypeError for a schema that no report has, such as a union.
 *
 * @example
 * const write = writerOf(z.strictObject({ depth: decimal(2), name: z.string().optional() }));
 * write(out, { depth: 12.3456 }); // {"depth":12.35}
 */
export const writerOf = <Schema extends z.ZodType>(schema: Schema): Write<z.output<Schema>> =>
  valueWriter(schema) as Write<unknown>;

/**
 * Writes the members of an object, each with a comma in front; `AsciiBuffer.closeObject` makes an object of them. For an object
 * that is written in parts.
 */
export function membersWriterOf<Shape extends z.ZodRawShape>(
  shape: Shape,
): Write<{ readonly [Name in keyof Shape]?: z.output<Shape[Name]> | undefined }> {
  const members = Object.entries(shape).map(([name, schema]) => memberOf(name, required(schema)));
  return (out, values) => {
    const byName = values as Readonly<Record<string, unknown>>;
    for (const { name, key, number, write } of members) {
      const value = byName[name];
      if (value === undefined) continue;
      if (number !== undefined) out.member(key, number.scale(value as number), number.decimals);
      else {
        out.write(key);
        write(out, value as never);
      }
    }
  };
}

/**
 * A writer for each member of an object of numbers, as `membersWriterOf` writes it; undefined is left out. For what is written
 * thousands of times a second, because a member is not looked up by its name.
 */
export const numberWritersOf = <Shape extends Readonly<Record<string, z.ZodOptional<z.ZodNumber>>>>(
  shape: Shape,
): { readonly [Name in keyof Shape]: Write<number | undefined> } =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, numberWriter(keyOf(name), formatOf(schema.unwrap()))]),
  ) as { readonly [Name in keyof Shape]: Write<number | undefined> };

const numberWriter =
  (key: EncodedText, { scale, decimals }: NumberFormat): Write<number | undefined> =>
  (out, value) => {
    if (value !== undefined) out.member(key, scale(value), decimals);
  };

const keyOf = (name: string): EncodedText => encodeText(`,${JSON.stringify(name)}:`);

/** A member of an object; `number` is the format of one that is a number. */
interface Member {
  readonly name: string;
  readonly key: EncodedText;
  readonly number: NumberFormat | undefined;
  readonly write: Write<never>;
}

const memberOf = (name: string, schema: z.core.$ZodType): Member => ({
  name,
  key: keyOf(name),
  number: schema instanceof z.ZodNumber ? formatOf(schema) : undefined,
  write: valueWriter(schema),
});

const required = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodOptional ? required(schema.unwrap()) : schema;

function valueWriter(optional: z.core.$ZodType): Write<never> {
  const schema = required(optional);
  if (schema instanceof z.ZodNullable) return nullableWriter(valueWriter(schema.unwrap()));
  if (schema instanceof z.ZodObject) return objectWriter(membersWriterOf(schema.shape));
  if (schema instanceof z.ZodArray) return listWriter(valueWriter(schema.element));
  if (schema instanceof z.ZodRecord) return recordWriter(valueWriter(schema.valueType));
  if (schema instanceof z.ZodNumber) {
    const { scale, decimals } = formatOf(schema);
    return (out, value: number) => out.fixed(scale(value), decimals);
  }
  if (schema instanceof z.ZodLiteral) return (out, value: unknown) => out.ascii(JSON.stringify(value));
  switch (schema._zod.def.type) {
    case "string":
    case "enum":
      return (out, value: string) => out.quoted(value);
    case "boolean":
      return (out, value: boolean) => out.write(value ? TRUE : FALSE);
    case "bigint":
      return (out, value: bigint) => out.ascii(String(value));
    default:
      throw new TypeError(`a report has no ${schema._zod.def.type}`);
  }
}

const nullableWriter =
  (write: Write<never>): Write<never> =>
  (out, value) =>
    value === null ? out.write(NULL) : write(out, value);

const objectWriter =
  (writeMembers: Write<object>): Write<object> =>
  (out, value) => {
    const begin = out.at;
    writeMembers(out, value);
    out.closeObject(begin);
  };

const recordWriter =
  (write: Write<never>): Write<Readonly<Record<string, never>>> =>
  (out, values) => {
    const begin = out.at;
    for (const name in values) {
      out.write(COMMA);
      out.quoted(name);
      out.write(COLON);
      write(out, values[name]!);
    }
    out.closeObject(begin);
  };

const listWriter =
  (write: Write<never>): Write<readonly never[]> =>
  (out, values) => {
    out.write(OPEN_ARRAY);
    values.forEach((value, index) => {
      if (index > 0) out.write(COMMA);
      write(out, value);
    });
    out.write(CLOSE_ARRAY);
  };
