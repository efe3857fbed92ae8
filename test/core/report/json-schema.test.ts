import { expect, test } from "vitest";
import * as z from "zod";
import { jsonSchemaOf } from "../../../src/core/report/json-schema.ts";
import { decimal } from "../../../src/core/report/number.ts";

test.each<[string, z.ZodType, object]>([
  [
    "the decimals are in the description",
    decimal(2).describe("knots"),
    { type: "number", description: "knots, 2 decimals" },
  ],
  ["a single decimal", decimal(1), { type: "number", description: "1 decimal" }],
  ["no decimals, nothing to say", decimal(0), { type: "number" }],
  ["an integer has no limits but its own", z.int().min(0), { type: "integer", minimum: 0 }],
  ["a literal integer is an integer", z.literal(60), { type: "integer", const: 60 }],
  [
    "64 bits are an integer",
    z.bigint().min(0n).describe("the NAME"),
    { type: "integer", minimum: 0, description: "the NAME" },
  ],
  [
    "an instant has a pattern and no format, which strict validators refuse",
    z.iso.datetime(),
    { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$" },
  ],
  ["a date likewise", z.iso.date(), { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\d$" }],
  [
    "the description of a nullable value stands outside",
    decimal(1).describe("degrees").nullable(),
    { anyOf: [{ type: "number" }, { type: "null" }], description: "degrees, 1 decimal" },
  ],
])("%s", (_, schema, expected) => {
  expect(jsonSchemaOf(schema)).toEqual(expected);
});

test("a schema that is used twice says the same both times", () => {
  const knots = decimal(2).min(0).describe("knots");
  const expected = { type: "number", minimum: 0, description: "knots, 2 decimals" };
  expect(jsonSchemaOf(z.strictObject({ one: knots.optional(), other: knots.nullable(), third: knots }))).toMatchObject({
    properties: {
      one: expected,
      other: { anyOf: [{ type: "number", minimum: 0 }, { type: "null" }], description: "knots, 2 decimals" },
      third: expected,
    },
    required: ["other", "third"],
    additionalProperties: false,
  });
});
