import { describe, expect, test } from "vitest";
import { decoderOf, fixedShapeDecoderOf } from "../../src/n2k/decode.ts";
import { definitions } from "../../src/n2k/pgns/index.ts";
import { fixtures } from "./fixtures.ts";

const cases = fixtures.flatMap(({ pgn, payload }) => {
  const definition = definitions.find((one) => one.pgn === pgn);
  return definition === undefined ? [] : [{ pgn, payload, definition }];
});

describe("fixedShapeDecoderOf", () => {
  test.each(cases)("$pgn: says what decoderOf says", ({ definition, payload }) => {
    const message = fixedShapeDecoderOf(definition)(payload, 0, payload.length, 3);
    expect(message).toEqual(decoderOf(definition)(payload, 0, payload.length, 3));
  });

  test.each(cases)("$pgn: has the same members, in one order, when nothing is available", ({ definition, payload }) => {
    const read = fixedShapeDecoderOf(definition);
    const empty = read(payload, 0, 0, 3);
    expect(Object.keys(empty)).toEqual(Object.keys(read(payload, 0, payload.length, 3)));
    expect(Object.keys(empty)).toEqual(
      expect.arrayContaining(Object.keys(decoderOf(definition)(payload, 0, payload.length, 3))),
    );
  });
});
