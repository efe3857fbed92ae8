import fc from "fast-check";
import { expect, test } from "vitest";
import { asciiJson, quote } from "../../../src/core/text/ascii-json.ts";

test("quote is JSON in ASCII of any text", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: "binary" })), (text) => {
      expect(quote(text)).toMatch(/^[ -~]*$/);
      expect(JSON.parse(quote(text))).toBe(text);
    }),
  );
});

test("asciiJson changes nothing but the writing", () => {
  const value = { name: "Zürich ⛵", list: ["é", 1] };
  expect(asciiJson(JSON.stringify(value))).toMatch(/^[ -~]*$/);
  expect(JSON.parse(asciiJson(JSON.stringify(value)))).toEqual(value);
});
