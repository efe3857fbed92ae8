/** canboatjs as the second opinion on payloads of any bytes: whole, short and long. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decoderOf } from "../../../src/core/n2k/decode.ts";
import { minimumBits } from "../../../src/core/n2k/field.ts";
import { assumed } from "../../../src/core/n2k/pgns/assumed.ts";
import { definitions, reportOnly } from "../../../src/core/n2k/pgns/index.ts";
import { type Comparison, canboatReading, compare, knownDefects } from "./canboat-reading.ts";

const all = [
  ...[...definitions, ...reportOnly].filter(
    ({ origin, fields }) => origin === "nmea2000" && Object.keys(fields).length > 0,
  ),
  ...assumed.flatMap(({ public: other }) => (other === undefined ? [] : [other.definition])),
].filter(({ fields }) => Object.keys(fields).length > 0);

/** Codes at the ends of a range come often. */
const someBytes = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 255 }) },
  fc.constantFrom(0, 0x7f, 0x80, 0xfc, 0xfd, 0xfe, 0xff),
);

describe.each(all.map((definition) => ({ definition, title: `${definition.pgn} ${definition.title}` })))(
  "$title",
  ({ definition }) => {
    test("is read as canboatjs reads it, but for its known defects", () => {
      const read = decoderOf(definition);
      const least = Math.ceil(minimumBits(definition.fields) / 8);
      const payloads = fc.oneof(
        fc.array(someBytes, { minLength: least, maxLength: least }),
        fc.array(someBytes, { maxLength: least + 30 }),
      );
      const comparison: Comparison = { compared: 0, differences: [] };
      // The same payloads each time: its defects are not ours to find.
      for (const payload of fc.sample(payloads, { seed: definition.pgn, numRuns: 60 })) {
        const bytes = Uint8Array.from(payload);
        const reading = canboatReading(definition.pgn, 3, bytes);
        if (reading === undefined) continue;
        compare(definition, read(bytes, 0, bytes.length, 3), reading, bytes.length, comparison);
      }
      // Random bytes make no three texts; the fixture of 126998 is compared.
      if (definition.pgn !== 126998) expect(comparison.compared).toBeGreaterThan(0);
      expect(comparison.differences, knownDefects.join("; ")).toEqual([]);
    });
  },
);
