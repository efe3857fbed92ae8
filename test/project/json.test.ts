import fc from "fast-check";
import { expect, test } from "vitest";
import { equal, type Json, own, parse, parseBytes, print, without } from "../../src/project/json.ts";

test("parse and print keep integers that a double cannot hold", () => {
  const text = '{\n  "name": 13868994482250310209,\n  "small": -9223372036854775808,\n  "safe": 9007199254740991\n}\n';
  expect(parse(text)).toEqual({ name: 13868994482250310209n, small: -9223372036854775808n, safe: 9007199254740991 });
  expect(print(parse(text))).toBe(text);
});

const exactText = (text: string): string => `[${text}, 1234567890123456]`;

test.each<[string, Json]>([
  ["1.5", 1.5],
  ["-0.25e2", -25],
  ["1e21", 1e21],
  ['"12345678901234567890"', "12345678901234567890"],
  ['"a\\"b\\\\"', 'a"b\\'],
  ['"\\u00e9\\n"', "é\n"],
  [" [ ] ", []],
  ['{"a" : { } , "b":[true,false,null]}', { a: {}, b: [true, false, null] }],
  ["0", 0],
])("parse reads %s beside a long number as the engine does alone", (text, value) => {
  expect(parse(exactText(text))).toEqual([value, 1234567890123456]);
  expect(JSON.parse(text)).toEqual(value);
});

test.each([
  "",
  "{",
  "[1,]",
  '{"a":1,}',
  "{a:1}",
  "01",
  "1.",
  "+1",
  "'a'",
  '"\n"',
  '"\\x"',
  "nul",
  "[1 2]",
  "1 2",
  "1e400",
  "-1e400",
  `1${"0".repeat(400)}`,
  "\u00a01",
])("parse refuses %j, alone and beside a long number", (text) => {
  expect(() => parse(text)).toThrow(SyntaxError);
  expect(() => parse(exactText(text))).toThrow(SyntaxError);
});

test("parse refuses nesting that could not be printed", () => {
  const nested = (depth: number, core: string): string => "[".repeat(depth) + core + "]".repeat(depth);
  expect(print(parse(nested(900, "1")))).toContain("1");
  for (const core of ["1", "1234567890123456789"]) {
    expect(() => parse(nested(5000, core))).toThrow(SyntaxError);
    expect(() => parse(nested(1_000_000, core))).toThrow(SyntaxError);
    expect(() => parse('{"a":1,"b":'.repeat(5000) + core + "}".repeat(5000))).toThrow(SyntaxError);
  }
});

test("parseBytes drops a byte order mark and refuses what is not UTF-8", () => {
  expect(parseBytes(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31))).toBe(1);
  expect(() => parseBytes(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(SyntaxError);
});

const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n }),
    fc.string({ unit: "grapheme" }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constant("__proto__")), tie("value"), { maxKeys: 4 }),
  ),
})).value;

test("print and parse are each other's way back", () => {
  fc.assert(
    fc.property(json, (value) => {
      const text = print(value);
      expect(print(parse(text))).toBe(text);
      expect(equal(parse(text), value)).toBe(true);
    }),
  );
});

test("print gives what JSON.stringify gives where that can", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value = JSON.parse(text) as Json;
      expect(print(value)).toBe(`${JSON.stringify(value, null, 2)}\n`);
      const withLong = { long: 2n ** 60n, value };
      expect(print(withLong).replace("1152921504606846976", "1")).toBe(
        `${JSON.stringify({ long: 1, value }, null, 2)}\n`,
      );
    }),
  );
});

test("__proto__ is a key like any other", () => {
  for (const number of ["1", "12345678901234567890"]) {
    const value = parse(`{"__proto__": {"a": 1}, "constructor": 2, "long": ${number}}`) as Record<string, Json>;
    expect(own(value, "__proto__")).toEqual({ a: 1 });
    expect(own(value, "toString")).toBeUndefined();
    expect(Object.keys(without(value, "long"))).toEqual(["__proto__", "constructor"]);
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  }
});
