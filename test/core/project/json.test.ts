import fc from "fast-check";
import { expect, test } from "vitest";
import {
  allRounded,
  ExactNumber,
  equal,
  type Json,
  own,
  parse,
  parseBytes,
  print,
  printPieces,
  rounded,
  without,
} from "../../../src/core/project/json.ts";

test("parse and print keep integers that a double cannot hold", () => {
  const text = '{\n  "name": 13868994482250310209,\n  "small": -9223372036854775808,\n  "safe": 9007199254740991\n}\n';
  expect(parse(text)).toEqual({
    name: new ExactNumber("13868994482250310209"),
    small: new ExactNumber("-9223372036854775808"),
    safe: 9007199254740991,
  });
  expect(print(parse(text))).toBe(text);
});

test.each([
  ...["9007199254740993.0", "12345678901234567890e0", "1e-400", "-0", "-0.0", "1.50", "1E5", "1e2"],
  "0.1000000000000000055",
])("the number %s keeps its text, everywhere in a document", (number) => {
  expect(print(parse(number))).toBe(`${number}\n`);
  const text = `{\n  "a": ${number},\n  "b": [\n    ${number},\n    {\n      "${number}": "${number}"\n    }\n  ]\n}\n`;
  expect(print(parse(text))).toBe(text);
  expect(rounded(parse(number))).toBe(Number(number));
  expect(allRounded(parse(text))).toEqual(JSON.parse(text));
});

test("a number is no string, no object, and equal to the same text alone", () => {
  const number = parse("1.0");
  expect(equal(number, parse(" 1.0 "))).toBe(true);
  for (const other of ["1", "1.00", '"1.0"', "{}", '{"text":"1.0"}']) expect(equal(number, parse(other))).toBe(false);
});

test.each([
  "{1.0:1}",
  '{"a":1,2.0:3}',
  "[1.0 2.0]",
  '["a"1.0]',
  "[01.0]",
  "[1.0.0]",
  "[-]",
  "[tru1.0]",
  "[1.0true]",
  "1.0e",
])("parse refuses %s", (text) => {
  expect(() => parse(text)).toThrow(SyntaxError);
});

test("nesting is bounded before a tree is built", () => {
  // JSON.parse would tell of the missing ends.
  for (const open of ["[", '{"a":', '[{"a":']) expect(() => parse(open.repeat(100_000))).toThrow("nested too deeply");
});

const exactText = (text: string): string => `[${text}, 12345678901234567890]`;

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
  expect(allRounded(parse(exactText(text)))).toEqual([value, Number("12345678901234567890")]);
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
  expect(print(parse(nested(1000, "1")))).toContain("1");
  expect(() => parse(nested(1001, "1"))).toThrow("nested too deeply");
  // Siblings are not nested.
  for (const one of ["[],", "{},"]) expect(() => parse(`[${one.repeat(2000)}1]`)).not.toThrow();
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
    fc.bigInt({ min: 2n ** 54n, max: 2n ** 64n }).map((number) => new ExactNumber(`${number}1.0`)),
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
      const withLong = { long: new ExactNumber("1152921504606846976"), value };
      expect(print(withLong).replace("1152921504606846976", "1")).toBe(
        `${JSON.stringify({ long: 1, value }, null, 2)}\n`,
      );
    }),
  );
});

test("printPieces gives the UTF-8 of print, with texts of any length and kind", () => {
  const long = (text: string): string => text.repeat(Math.ceil(100_000 / text.length));
  const number = new ExactNumber(`0.${long("1")}`);
  const texts = [long("plain, {}[]/"), long('quote "'), long("\\"), long("é"), long("\n"), "", number];
  const document: Json = {
    ...Object.fromEntries(texts.map((text, n) => [`k${n}`, text])),
    é: [texts, 1, { __proto__: 1 }],
  };
  for (const value of [document, ...texts, [], { number }] as readonly Json[]) {
    expect(Buffer.compare(Buffer.concat(printPieces(value)), Buffer.from(print(value)))).toBe(0);
  }
  fc.assert(
    fc.property(json, (value) => {
      expect(Buffer.compare(Buffer.concat(printPieces(value)), Buffer.from(print(value)))).toBe(0);
    }),
  );
});

test("printPieces encodes a long string once, for all versions of a document that hold its entry", () => {
  const entry = { name: "photo", data: "A".repeat(100_000) };
  const [before, after] = [1, 2].map((n) => printPieces({ settings: [{ n }], media: [entry] }));
  expect(before!.map(({ length }) => length > 1000)).toEqual([false, true, false]);
  expect(after![1]).toBe(before![1]);
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
