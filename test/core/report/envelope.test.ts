import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { createMetadataWriter, DATA, envelopeOf, metadataAt } from "../../../src/core/report/envelope.ts";
import { writerOf } from "../../../src/core/report/write.ts";
import { textOf } from "../../../src/core/text/ascii-buffer.ts";

const message = envelopeOf(z.strictObject({}));

test("metadataAt is what the schema of the metadata wants, fractions of a millisecond cut off", () => {
  const metadata = metadataAt(Date.UTC(2026, 10, 21, 8, 14, 26, 123) + 0.5);
  expect(metadata).toEqual({ rxDate: "2026-11-21T08:14:26.123Z", rxTimestamp: 1795248866, expireAfterSec: 60 });
  expect(message.safeParse({ data: {}, metadata }).error).toBeUndefined();
  expect(metadataAt(0, 2).expireAfterSec).toBe(2);
});

test("createMetadataWriter writes the same text as the writer of the schema, at any times in any order", () => {
  const fast = createMetadataWriter();
  const text = textOf((out, wall: number) => {
    out.write(DATA);
    out.ascii("{}");
    fast(out, wall);
  });
  const expected = textOf(writerOf(message));
  const time = fc.oneof(
    fc.integer({ min: 0, max: 4_102_444_800_000 }),
    // The same few seconds.
    fc.integer({ min: 1_795_248_866_000, max: 1_795_248_868_000 }).map((wall) => wall + 0.25),
    // Before 1970.
    fc.integer({ min: -1e13, max: 0 }),
  );
  fc.assert(
    fc.property(time, (wall) => {
      expect(text(wall)).toBe(expected({ data: {}, metadata: metadataAt(wall) }));
    }),
  );
});
