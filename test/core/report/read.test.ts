/** Numbers and texts are read by their limits: the same as a parse of their schema, which costs ten times as much. */
import { expect, test } from "vitest";
import * as z from "zod";
import { decimal } from "../../../src/core/report/number.ts";
import { readerOf } from "../../../src/core/report/read.ts";

const values = [
  ...[0, -0, 1, -1, 0.5, 359.9, 360, 360.1, 255, 256, 2 ** 53, -(2 ** 53), 2 ** 64],
  ...[1e308, -1e308, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN],
  ...["", "a", "ab", "abc", "12", "2026-11-24T00:00:00.000Z", "x".repeat(6000), null, undefined, true, [], {}, [1], 7n],
];

test.each([
  ["any number", z.number()],
  ["limits", decimal(1).min(0).max(360)],
  ["limits that are not reached", decimal(1).gt(0).lt(360)],
  ["an integer", z.int()],
  ["an integer with limits", z.int().min(1).max(255)],
  ["a union", z.union([z.int(), z.string().max(5000)])],
  ["a flag", z.boolean()],
  ["a uuid", z.uuid()],
  ["a date", z.iso.date()],
  ["any text", z.string().max(5000)],
  ["a text with limits", z.string().min(1).max(2)],
  ["a pattern", z.string().regex(/^\d+$/)],
  ["a pattern with flags", z.string().max(5000).regex(/^A/iu)],
  ["a time", z.iso.datetime()],
] as const)("%s", (_, schema) => {
  const read = readerOf<z.ZodType>(schema);
  // No field of a bus has more than 64 bits.
  const isRead = (value: unknown): boolean => typeof value !== "number" || Math.abs(value) <= 2 ** 64;
  for (const value of values)
    expect(read(value), String(value)).toBe(schema.safeParse(value).success && isRead(value) ? value : undefined);
});

test.each([
  ["a multiple", z.number().multipleOf(0.5)],
  ["a refinement", z.string().refine((value) => value !== "a")],
  ["a literal", z.literal("a")],
])("%s has no form, which its author learns at once", (_, schema) => {
  expect(() => readerOf<z.ZodType>(schema)).toThrow(/^no form for/);
});
