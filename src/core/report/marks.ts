/**
 * Marks of the members of reports and settings: facts that programs read, in zod's registry. A schema derived from
 * another one has its marks.
 */
import * as z from "zod";
import { type ReportUnit, unitWords } from "./unit-words.ts";

export interface Marks {
  readonly unit?: ReportUnit;
  /** The side of a limit on which it rings. */
  readonly side?: "above" | "below";
  /** A number that begins anew after 360 degrees. */
  readonly direction?: true;
  /** Advances from message to message without a change of values: a clock, the age of a source. */
  readonly clock?: true;
}

const registry = z.registry<Marks>();

/** Adds marks to those of a schema. */
export function mark<Schema extends z.ZodType>(schema: Schema, marks: Marks): Schema {
  registry.add(schema, { ...registry.get(schema), ...marks });
  return schema;
}

/**
 * A number in a unit. `text` makes its description of the unit in words.
 *
 * @example inUnit("m", decimal(2).min(0), (metres) => `${metres} below the transducer`)
 */
export const inUnit = <Schema extends z.ZodType>(
  unit: ReportUnit,
  schema: Schema,
  text: string | ((words: string) => string) = (words) => words,
): Schema => mark(schema.describe(typeof text === "string" ? text : text(unitWords[unit])), { unit });

type Wrapper = z.ZodOptional<z.ZodType> | z.ZodNullable<z.ZodType> | z.ZodDefault<z.ZodType>;

const isWrapper = (schema: z.core.$ZodType): schema is Wrapper =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;

/** The schema of a value that is there. */
const bare = (schema: z.core.$ZodType): z.core.$ZodType => (isWrapper(schema) ? bare(schema.unwrap()) : schema);

export const marksOf = (schema: z.core.$ZodType): Marks => registry.get(schema) ?? registry.get(bare(schema)) ?? {};

/**
 * The members of an object and of the objects in it, by path.
 *
 * @example [...membersOf(navigationData)] // [["position", …], ["position.hasFix", …], …]
 */
export function* membersOf(schema: z.core.$ZodType, below = ""): Generator<readonly [path: string, member: z.ZodType]> {
  const object = bare(schema);
  if (!(object instanceof z.ZodObject)) return;
  for (const [name, member] of Object.entries(object.shape as Readonly<Record<string, z.ZodType>>)) {
    yield [below + name, member];
    yield* membersOf(member, `${below}${name}.`);
  }
}
