/** Numbers of reports: how many decimals each has at most, which is part of its schema. */
import * as z from "zod";

export type Decimals = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** 10 to the power of each number of decimals. */
const POWERS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7] as const;

export interface NumberFormat {
  readonly decimals: Decimals;
  /** Rounds a value to an integer count of its last decimal; undefined: to the nearest. */
  readonly scale: ((value: number) => number) | undefined;
}

/** The formats of number schemas; a schema derived from another one (`min`, `describe`) has its format. */
const formats = z.registry<NumberFormat>();

/**
 * A number with at most `decimals` decimals. `scale` rounds in another way.
 *
 * @example const depth = decimal(2).min(0).describe("metres");
 */
export const decimal = (decimals: Decimals, scale?: (value: number) => number): z.ZodNumber =>
  z.number().register(formats, { decimals, scale });

const integer: NumberFormat = { decimals: 0, scale: undefined };

/** The format of a number schema. Throws for a schema that was not made by `decimal` and is not an integer. */
export function formatOf(schema: z.ZodNumber): NumberFormat {
  const format = formats.get(schema) ?? (schema.isInt ? integer : undefined);
  if (format === undefined) throw new TypeError("a number of a report needs its decimals, from decimal()");
  return format;
}

/** The value as an integer count of the last decimal of its format. */
export const scaled = (value: number, { decimals, scale }: NumberFormat): number =>
  scale === undefined ? Math.round(value * POWERS[decimals]) : scale(value);

/** The decimals of a number schema made by `decimal`, 0 for others. */
export const decimalsOf = (schema: z.ZodNumber): Decimals => formats.get(schema)?.decimals ?? 0;

/** The value rounded by its format; never -0. */
export const rounded = (value: number, format: NumberFormat): number =>
  scaled(value, format) / POWERS[format.decimals] + 0;
