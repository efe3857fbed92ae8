/** Valid messages of a definition, for laws: any of its fields, with any value that the wire can hold. */
import fc from "fast-check";
import type { Definition } from "../../../src/core/n2k/definition.ts";
import { type Field, type Fields, isPublished, type NumberField } from "../../../src/core/n2k/field.ts";
import { rawLimits, scaling } from "../../../src/core/n2k/scaling.ts";
import { publishedValue } from "../../../src/core/n2k/schema.ts";

type Values = Readonly<Record<string, unknown>>;

function numbers(field: NumberField): fc.Arbitrary<number> {
  const [low, high] = rawLimits(field);
  const { divisor } = scaling(field.scale);
  // If the last decimal is coarser than the wire, any multiple of it is a value.
  return divisor === 1
    ? fc.integer({ min: Math.ceil(low), max: Math.floor(high) }).map((raw) => publishedValue(field, raw))
    : fc
        .integer({ min: Math.ceil(low / divisor) + 1, max: Math.floor(high / divisor) - 1 })
        .map((count) => publishedValue(field, count * divisor));
}

/** Text that a round trip keeps: no control characters, no padding at its end, limited length in UTF-8. */
const texts = (bytes: number): fc.Arbitrary<string> =>
  fc
    .oneof(
      fc.string({ minLength: 1, maxLength: bytes }),
      fc.string({ minLength: 1, maxLength: bytes, unit: "grapheme" }),
    )
    .map((text) => `${text.replace(/[\p{C}]/gu, "").trim()}x`)
    .filter((text) => Buffer.byteLength(text) <= bytes && text.isWellFormed());

function values(field: Field): fc.Arbitrary<unknown> | undefined {
  switch (field.kind) {
    case "number":
      return numbers(field);
    case "digits":
      return fc.integer({ min: field.wire.lowest, max: field.wire.highest }).map(String);
    case "digitPairs":
      return fc.stringMatching(new RegExp(`^\\d{${2 * field.bytes}}$`));
    case "choice":
      return fc.constantFrom(...Object.values(field.choices));
    case "flag":
    case "aboveZero":
      return fc.boolean();
    case "text":
      return texts(field.bytes);
    case "lauText":
      return texts(12);
    case "hex":
      return fc.uint8Array({ minLength: 1, maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString("hex"));
    case "repeat": {
      const { numbered, times } = field;
      const entry = members(field.group).filter((each) => Object.keys(each).length > 0);
      if (numbered === undefined || times === undefined) return fc.array(entry, { minLength: 1, maxLength: 3 });
      return fc
        .uniqueArray(fc.integer({ min: 1, max: times }), { minLength: 1, maxLength: times })
        .map((numbers) => numbers.sort((a, b) => a - b))
        .chain((numbers) =>
          fc.tuple(...numbers.map((number) => entry.map((each) => ({ [numbered]: number, ...each })))),
        );
    }
    default:
      return undefined;
  }
}

function members(fields: Fields): fc.Arbitrary<Values> {
  const all: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === "pick") for (const [key, each] of published(field.group)) all[key] = each;
    else if (isPublished(name)) {
      const arbitrary = values(field);
      if (arbitrary !== undefined) all[name] = arbitrary;
    }
  }
  return fc.record(all, { requiredKeys: [] });
}

const published = (fields: Fields): [string, fc.Arbitrary<unknown>][] =>
  Object.entries(fields).flatMap(([name, field]): [string, fc.Arbitrary<unknown>][] => {
    const arbitrary = isPublished(name) ? values(field) : undefined;
    return arbitrary === undefined ? [] : [[name, arbitrary]];
  });

export const messages = (definition: Definition): fc.Arbitrary<Values> =>
  members(definition.fields).map((all) => ({ pgn: definition.pgn, ...all }));
