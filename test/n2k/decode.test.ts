import { describe, expect, test } from "vitest";
import { decoderOf, steadyDecoderOf } from "../../src/n2k/decode.ts";
import { definitions } from "../../src/n2k/pgns/index.ts";
import { fixtures } from "./fixtures.ts";

const cases = fixtures.flatMap(({ pgn, payload }) => {
  const definition = definitions.find((one) => one.pgn === pgn);
  return definition === undefined ? [] : [{ pgn, payload, definition }];
});

describe("steadyDecoderOf", () => {
  test.each(cases)("$pgn: says what decoderOf says", ({ definition, payload }) => {
    const steady = steadyDecoderOf(definition)(payload, 0, payload.length, 3);
    expect(steady).toEqual(decoderOf(definition)(payload, 0, payload.length, 3));
  });

  test.each(cases)("$pgn: has the same members, in one order, when nothing is available", ({ definition, payload }) => {
    const read = steadyDecoderOf(definition);
    const empty = read(payload, 0, 0, 3);
    expect(Object.keys(empty)).toEqual(Object.keys(read(payload, 0, payload.length, 3)));
    expect(Object.keys(empty)).toEqual(
      expect.arrayContaining(Object.keys(decoderOf(definition)(payload, 0, payload.length, 3))),
    );
  });
});
