/** Payloads of a layout: any bytes, with the bits that tell it from the others of its PGN. */
import fc from "fast-check";
import { minimumBits } from "../../../src/core/n2k/field.ts";
import { theirs } from "./canboat.ts";
import type { Layout } from "./public-table.ts";

/** Codes at the ends of a range come often. */
const someByte = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 255 }) },
  fc.constantFrom(0, 1, 2, 0x7f, 0x80, 0xfc, 0xfd, 0xfe, 0xff),
);

export function payloadsOf({ variant, other }: Layout): fc.Arbitrary<Uint8Array> {
  const { fields, transport } = variant.definition;
  // Some layouts are longer than a fast packet can be.
  const least = Math.min(223, Math.ceil(minimumBits(fields) / 8));
  const most = transport === "single" ? 8 : Math.min(223, least + 24);
  const whole = fc.array(someByte, { minLength: transport === "single" ? 8 : least, maxLength: most });
  return whole.map((list) => {
    const bytes = Uint8Array.from(list);
    for (const { bit, field } of other === undefined ? [] : theirs(other)) {
      if (field.Match === undefined) continue;
      for (let each = 0; each < field.BitLength!; each++) {
        const place = bit + each;
        const mask = 1 << (place & 7);
        if ((BigInt(field.Match) >> BigInt(each)) & 1n) bytes[place >> 3]! |= mask;
        else bytes[place >> 3]! &= ~mask;
      }
    }
    return bytes;
  });
}
