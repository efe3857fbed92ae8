import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { decimal } from "../../../src/core/report/number.ts";
import { writerOf } from "../../../src/core/report/write.ts";
import { textOf } from "../../../src/core/text/ascii-buffer.ts";

describe("writerOf", () => {
  test.each<[string, z.ZodType, unknown, string]>([
    ["a text", z.string(), 'Åse "1"', '"\\u00c5se \\"1\\""'],
    ["an enum", z.enum(["A", "B"]), "B", '"B"'],
    ["a literal number", z.literal(60), 60, "60"],
    ["a literal text", z.literal("hub-cand"), "hub-cand", '"hub-cand"'],
    ["a flag", z.boolean(), false, "false"],
    ["an integer", z.int(), -12, "-12"],
    ["an integer of 64 bits", z.bigint(), 2n ** 64n - 1n, "18446744073709551615"],
    ["a number, rounded to its decimals", decimal(2).min(0).describe("metres"), 12.3456, "12.35"],
    ["a number without zeros behind", decimal(3), 2, "2"],
    ["a number that rounds to zero, without a sign", decimal(1), -0.04, "0"],
    ["a number that is scaled in its own way", decimal(1, (value) => Math.floor(value * 10)), 0.99, "0.9"],
    ["null", decimal(1).nullable(), null, "null"],
    ["a value that may be null", decimal(1).nullable(), 1.25, "1.3"],
    ["a list", z.array(z.int()), [1, 2, 3], "[1,2,3]"],
    ["an empty list", z.array(z.int()), [], "[]"],
    ["a record, in the order of its entries", z.record(z.string(), z.int()), { b: 1, a: 2 }, '{"b":1,"a":2}'],
    ["an empty record", z.record(z.string(), z.int()), {}, "{}"],
    ["an empty object", z.strictObject({ a: z.int().optional() }), {}, "{}"],
    ["an instant", z.iso.datetime(), "2026-11-21T08:14:26.123Z", '"2026-11-21T08:14:26.123Z"'],
  ])("writes %s", (_, schema, value, expected) => {
    expect(textOf(writerOf(schema))(value)).toBe(expected);
  });

  test("writes members in the order of the schema, null ones too, and leaves out undefined ones", () => {
    const schema = z.strictObject({
      first: z.int(),
      second: decimal(1).nullable(),
      third: z.string().optional(),
      fourth: z.strictObject({ inner: z.boolean() }),
    });
    const value = { fourth: { inner: true }, third: undefined, second: null, first: 1 };
    expect(textOf(writerOf(schema))(value)).toBe('{"first":1,"second":null,"fourth":{"inner":true}}');
  });

  test("refuses, when it is made, a schema that has no text", () => {
    expect(() => writerOf(z.strictObject({ depth: z.number() }))).toThrow("a number of a report needs its decimals");
    expect(() => writerOf(z.date())).toThrow("a report has no date");
  });

  test("writes what JSON.parse reads as the same value, in ASCII", () => {
    const schema = z.strictObject({
      text: z.string(),
      number: decimal(3).optional(),
      list: z.array(z.strictObject({ flag: z.boolean().nullable() })),
      record: z.record(z.string(), z.int()),
    });
    const write = textOf(writerOf(schema));
    const thousandths = fc.integer({ min: -1e9, max: 1e9 }).map((value) => value / 1000);
    const values = fc.record({
      text: fc.string({ unit: "binary" }),
      number: fc.option(thousandths, { nil: undefined }),
      list: fc.array(fc.record({ flag: fc.option(fc.boolean()) })),
      record: fc.dictionary(
        fc.string().filter((key) => key !== "__proto__"),
        fc.integer(),
      ),
    });
    fc.assert(
      fc.property(values, (value) => {
        const text = write(value);
        expect(text).toMatch(/^[\x20-\x7e]*$/);
        expect(text).toBe(JSON.stringify(JSON.parse(text)).replace(/[\x7f-\uffff]/g, escaped));
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
