/** Every kind of message that hub-cand publishes beyond its document has a schema and a channel. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { fromCanId } from "../../../src/core/can/can-id.ts";
import { decoderOf } from "../../../src/core/n2k/decode.ts";
import { asyncApiDocument } from "../../../src/core/topics/async-api.ts";
import { publicTopicSchema, publicTopicSchemas, topicSchemas } from "../../../src/core/topics/schemas.ts";
import { shared } from "../n2k/public-table.ts";

const topics = publicTopicSchemas(shared);
const metadata = { rxDate: "2026-11-21T08:14:26.123Z", rxTimestamp: 1795248866, expireAfterSec: 60 };

/** A message of a manufacturer without a layout of its own. */
const messageOf = (pgn: number): object => {
  const bytes = Uint8Array.of(0x10, 0x9a, 1, 2, 3, 4, 5, 6);
  const { definition } = shared.variants(pgn).at(-1)!;
  return { data: decoderOf(definition)(bytes, 0, bytes.length, 3), metadata };
};

describe.each([65323, 65370, 65362, 65535, 130919, 131056])("%i, which the public database does not have", (pgn) => {
  test("has a schema that its messages fit, as any PGN of its range", () => {
    const rest = topics.find(({ id }) => id === (pgn < 0x10000 ? "pgn-proprietary-single" : "pgn-proprietary-fast"));
    for (const topic of [publicTopicSchema(shared, pgn), rest]) {
      const validate = new Ajv2020().compile(topic!.schema);
      expect(validate(messageOf(pgn)), JSON.stringify(validate.errors)).toBe(true);
      expect(validate({ data: { pgn, surprise: 1 }, metadata })).toBe(false);
    }
  });
});

test("a PGN that is published as raw bytes has a schema, one of the extended data page too", () => {
  const validate = new Ajv2020().compile(topics.find(({ id }) => id === "pgn-unknown")!.schema);
  expect(validate({ data: { pgn: 61000, raw: "00ff" }, metadata })).toBe(true);
  expect(validate({ data: { pgn: fromCanId(0x1bf9_1203).pgn, raw: "00ff" }, metadata })).toBe(true);
  expect(validate({ data: { pgn: 61000, raw: "0f0" }, metadata })).toBe(false);
});

test("a PGN outside of the public ones and of the proprietary ranges has none", () => {
  expect(publicTopicSchema(shared, 61000)).toBeUndefined();
});

test("every one has a channel", () => {
  const { channels } = asyncApiDocument([...topicSchemas, ...topics], "1.0.0", "") as { readonly channels: object };
  expect(Object.keys(channels)).toEqual(expect.arrayContaining(topics.map(({ id }) => id)));
});
