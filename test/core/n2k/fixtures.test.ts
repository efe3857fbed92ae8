/** Every definition on its fixture: read as text and as an object, and written. */
import { describe, expect, test } from "vitest";
import { createCatalogue } from "../../../src/core/n2k/catalogue.ts";
import { decoderOf } from "../../../src/core/n2k/decode.ts";
import type { Definition } from "../../../src/core/n2k/definition.ts";
import { encoderOf } from "../../../src/core/n2k/encode.ts";
import { jsonWriterOf } from "../../../src/core/n2k/json.ts";
import { publishedFields } from "../../../src/core/n2k/layout.ts";
import { payloadOf } from "../../../src/core/n2k/payload.ts";
import { definitions, reportOnly } from "../../../src/core/n2k/pgns/index.ts";
import { textOf } from "../../../src/core/text/ascii-buffer.ts";
import { FIXTURE_SOURCE, fixtures } from "./fixtures.ts";

const all = [...definitions, ...reportOnly].sort((a, b) => a.pgn - b.pgn);
const definitionOf = (pgn: number): Definition => all.find((each) => each.pgn === pgn)!;
const catalogue = createCatalogue();

test("there is one fixture for each definition", () => {
  const advice = "test/core/n2k/fixtures.ts has a line for each definition, in their order: payload and JSON";
  expect(
    fixtures.map(({ pgn }) => pgn),
    advice,
  ).toEqual(all.map(({ pgn }) => pgn));
});

/** Fields that no fixture can have: never published, of the other branch, or of a lamp that is not fitted. */
const absent: Readonly<Record<number, readonly string[]>> = { 65227: ["protectLamp"], 129808: ["natureOfDistress"] };

test("a fixture has each field of its definition", () => {
  const lacking = fixtures.flatMap(({ pgn, json }) => {
    const has = JSON.parse(json) as object;
    return publishedFields(definitionOf(pgn)).flatMap(({ name, field }) =>
      name in has || ["never", "alsoChoice"].includes(field.kind) || absent[pgn]?.includes(name)
        ? []
        : [`${pgn} ${name}`],
    );
  });
  expect(lacking, "add these to the JSON of its line, and its value to the payload").toEqual([]);
});

describe.each(fixtures)("$pgn", ({ pgn, payload, json }) => {
  const definition = definitionOf(pgn);

  test("is read as JSON text and as an object", () => {
    expect(textOf(jsonWriterOf(definition))(payload, 0, payload.length, FIXTURE_SOURCE)).toBe(json);
    expect(decoderOf(definition)(payload, 0, payload.length, FIXTURE_SOURCE)).toEqual(JSON.parse(json));
  });

  test("is read the same where it lies in a larger buffer", () => {
    const around = new Uint8Array(payload.length + 64).fill(0xa5);
    around.set(payload, 24);
    expect(textOf(jsonWriterOf(definition))(around, 24, 24 + payload.length, FIXTURE_SOURCE)).toBe(json);
  });

  test("is written to the same bytes", () => {
    expect(Buffer.from(encoderOf(definition)(JSON.parse(json))).toString("hex")).toBe(
      Buffer.from(payload).toString("hex"),
    );
  });
});

test.each(fixtures.filter(({ pgn }) => !reportOnly.includes(definitionOf(pgn))))(
  "$pgn is read by its reader in the catalogue, as assumed where it is",
  ({ pgn, payload, json }) => {
    expect(textOf(catalogue.reader(pgn)!.write)(payloadOf(payload, FIXTURE_SOURCE))).toBe(json);
    expect(catalogue.reader(pgn)!.unmatched()).toBe(0);
  },
);
