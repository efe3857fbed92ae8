/** The definitions against the document: every row, its title, its fields in order, their types and fixed strings. */
import { expect, test } from "vitest";
import type { Field } from "../../../src/core/n2k/field.ts";
import { publishedFields } from "../../../src/core/n2k/layout.ts";
import { definitions, reportOnly } from "../../../src/core/n2k/pgns/index.ts";
import { rowsWithFields, rowsWithoutFields } from "./document.ts";

const byPgn = new Map(definitions.map((definition) => [definition.pgn, definition]));

/** The strings of a choice, where the document fixes them; for all others it leaves them open. */
const fixedStrings = new Set(["127250 reference", "127258 source", "129026 cogReference"]);

function typeOf(field: Field, fields: Readonly<Record<string, Field>>): string {
  switch (field.kind) {
    case "number":
      return field.integer ? "i" : "n";
    case "also":
      return field.unit === undefined ? typeOf(fields[field.of]!, fields) : "n";
    case "part":
      return field.decimals === 0 ? "i" : "n";
    case "choice":
      return typeof Object.values(field.choices)[0] === "number" ? "n" : "s";
    case "flag":
    case "aboveZero":
      return "b";
    case "joined":
    case "length":
    case "sourceAddress":
      return "i";
    case "never":
      return { string: "s", number: "n", integer: "i", boolean: "b" }[field.type];
    case "repeat": {
      const number = field.numbered === undefined ? [] : [`${field.numbered} i`];
      const members = publishedFields({ fields: field.group }).map((each) => `${each.name} ${typeOf(each.field, {})}`);
      return `[${[...number, ...members].join(", ")}]`;
    }
    default:
      return "s";
  }
}

function rowOf(pgn: number): string {
  const definition = byPgn.get(pgn)!;
  return publishedFields(definition)
    .map(({ name, field }) => {
      const type = typeOf(field, definition.fields);
      if (!fixedStrings.has(`${pgn} ${name}`) || field.kind !== "choice") return `${name} ${type}`;
      const strings = [...Object.values(field.choices), ...(field.otherwise === undefined ? [] : [field.otherwise])];
      return `${name} ${type} {${strings.join(", ")}}`;
    })
    .join(", ");
}

test.each(rowsWithFields)("$pgn $title has the document's fields, types and strings, in its order", (row) => {
  const definition = byPgn.get(row.pgn);
  expect(definition?.title).toBe(row.title);
  expect(rowOf(row.pgn)).toBe(row.fields);
  expect(definition!.beyondDocument).toBeUndefined();
});

test.each(rowsWithoutFields)("$pgn $title marks its fields as beyond the document, or has none", (row) => {
  const definition = byPgn.get(row.pgn);
  expect(definition?.title).toBe(row.title);
  const count = publishedFields(definition!).length;
  expect(definition!.beyondDocument).toBe(count > 0 ? "fields" : undefined);
});

test("every PGN of the document is defined, each PGN once, and all others are marked as beyond the document", () => {
  const numbers = definitions.map(({ pgn }) => pgn);
  expect(numbers).toEqual([...new Set(numbers)]);
  const document = [...rowsWithFields, ...rowsWithoutFields].map(({ pgn }) => pgn).sort((a, b) => a - b);
  const marked = definitions.filter(({ beyondDocument }) => beyondDocument === "message").map(({ pgn }) => pgn);
  const advice = 'a PGN that is not in the document has the option beyondDocument: "message"';
  expect(
    numbers.filter((pgn) => !marked.includes(pgn)),
    advice,
  ).toEqual(document);
  // The list is the document's, word for word.
  expect(rowsWithFields).toHaveLength(65);
  expect(rowsWithoutFields).toHaveLength(33);
});

test("the PGNs whose title belongs to another publish their number only", () => {
  const bare = definitions.filter((definition) => publishedFields(definition).length === 0).map(({ pgn }) => pgn);
  expect(bare).toEqual([128523, 128524, 128777, 128780, 129547, 129812, 130568, 130569]);
});

test("the PGNs of assumed layout say so", () => {
  const assumed = definitions.filter(({ origin }) => origin === "assumed").map(({ pgn }) => pgn);
  expect(assumed).toEqual([
    127490, 127491, 127494, 127495, 127512, 127514, 127744, 127745, 127746, 127747, 127748, 127749, 127750, 127751,
    128521, 128522,
  ]);
});

test("what feeds the reports is not published", () => {
  expect(reportOnly.map(({ pgn }) => pgn)).toEqual([
    59392, 59904, 60928, 65240, 126208, 126464, 126993, 126996, 126998, 128000,
  ]);
});

test("an order names every published field once", () => {
  for (const definition of definitions) {
    if (definition.order === undefined) continue;
    const natural = publishedFields({ fields: definition.fields }).map(({ name }) => name);
    expect([...definition.order].sort(), String(definition.pgn)).toEqual(natural.sort());
  }
});
