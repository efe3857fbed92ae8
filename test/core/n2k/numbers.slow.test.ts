/** Published numbers: rounded once, no noise, nothing lost, for every raw number of every kind of 16 bits. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decoderOf } from "../../../src/core/n2k/decode.ts";
import { pgn } from "../../../src/core/n2k/definition.ts";
import { encoderOf } from "../../../src/core/n2k/encode.ts";
import type { Field, Fields, NumberField } from "../../../src/core/n2k/field.ts";
import { jsonWriterOf } from "../../../src/core/n2k/json.ts";
import { canSettings } from "../../../src/core/n2k/layout-modes.ts";
import { definitions } from "../../../src/core/n2k/pgns/index.ts";
import { alsoNumber, rawLimits } from "../../../src/core/n2k/scaling.ts";
import { decimal, latitude } from "../../../src/core/n2k/verbs.ts";
import {
  j16,
  j32,
  s8,
  s16,
  s32,
  s64,
  u2,
  u3,
  u4,
  u6,
  u8,
  u16,
  u32,
  type WireType,
} from "../../../src/core/n2k/wire.ts";
import { textOf } from "../../../src/core/text/ascii-buffer.ts";

function* numbersOf(fields: Fields): Generator<NumberField> {
  for (const field of Object.values<Field>(fields)) {
    if (field.kind === "number") yield field;
    else if (field.kind === "also") yield alsoNumber(fields[field.of] as NumberField, field);
    else if (field.kind === "repeat" || field.kind === "pick") yield* numbersOf(field.group);
  }
}

/** One field of each kind of number. */
const kinds = new Map<string, NumberField>();
for (const { fields } of definitions) {
  for (const field of numbersOf(fields)) {
    const { wire, scale, range, integer } = field;
    if (wire.bits === 16) kinds.set(JSON.stringify({ wire, scale, range, integer }), field);
  }
}

const oneNumber = (field: NumberField) => pgn(1, "one number", { value: field });

test("there are kinds of 16 bits to look at", () => {
  expect(kinds.size).toBeGreaterThan(20);
});

describe.each([...kinds.values()].map((field) => ({ field, title: JSON.stringify([field.wire, field.scale]) })))(
  "$title",
  ({ field }) => {
    test("every raw number is published exactly, without noise, and comes back", () => {
      const definition = oneNumber(field);
      const json = textOf(jsonWriterOf(definition));
      const decode = decoderOf(definition);
      const encode = encoderOf(definition);
      const { wire, scale } = field;
      const [low, high] = rawLimits(field);
      const bytes = new Uint8Array(2);
      // The document wants an integer of a finer number.
      const isRounded = scale.times / scale.per < 0.999 * 10 ** -scale.decimals;
      const plain = new RegExp(`^-?\\d+(\\.\\d{0,${Math.max(0, scale.decimals - 1)}}[1-9])?$`);
      const noise: string[] = [];
      const seen = new Set<number>();
      let inRange = 0;
      for (let code = 0; code < 65536; code++) {
        bytes[0] = code & 0xff;
        bytes[1] = code >> 8;
        const raw = wire.signed && code > 0x7fff ? code - 65536 : code;
        const text = json(bytes, 0, 2, 0);
        const { value } = decode(bytes, 0, 2, 0);
        if (raw < low || raw > high) {
          if (text !== '{"pgn":1}' || value !== undefined) noise.push(`${raw} is no value: ${text}`);
          continue;
        }
        inRange++;
        const literal = text.slice('{"pgn":1,"value":'.length, -1);
        const exact = (raw * scale.times) / scale.per + scale.offset;
        if (!plain.test(literal) || literal === "-0") noise.push(`${raw}: ${literal}`);
        if (Math.abs(Number(literal) - exact) > 0.5 * 10 ** -scale.decimals + 1e-9) noise.push(`${raw}: ${literal}`);
        if (value !== Number(literal) || Object.is(value, -0)) noise.push(`${raw}: ${value} is not ${literal}`);
        seen.add(Number(literal));
        if (isRounded) continue;
        const back = encode({ pgn: 1, value: Number(literal) });
        if (back[0] !== bytes[0] || back[1] !== bytes[1]) noise.push(`${raw} comes back as ${back.slice(0, 2)}`);
      }
      expect(noise.slice(0, 5)).toEqual([]);
      if (!isRounded) expect(seen.size).toBe(inRange);
      expect(inRange).toBeGreaterThan(0);
    });
  },
);

/**
 * The lowest and the highest raw number that is a value, by wire type; the numbers beyond are codes. NMEA 2000 and SAE
 * J1939-71.
 */
const limits: readonly (readonly [name: string, wire: WireType, lowest: number, highest: number])[] = [
  ["u2", u2, 0, 2],
  ["u3", u3, 0, 6],
  ["u4", u4, 0, 13],
  ["u6", u6, 0, 61],
  ["u8", u8, 0, 252],
  ["u16", u16, 0, 65_532],
  ["u32", u32, 0, 4_294_967_292],
  ["s8", s8, -127, 124],
  ["s16", s16, -32_767, 32_764],
  ["s32", s32, -2_147_483_647, 2_147_483_644],
  ["j16", j16, 0, 0xfaff],
  ["j32", j32, 0, 0xfaffffff],
];

test.each(limits)("%s: the raw numbers that are values are those of the standard", (_, wire, lowest, highest) => {
  const json = textOf(jsonWriterOf(pgn(1, "one number", { value: decimal(wire) })));
  const textAt = (raw: number): string => {
    const bytes = new Uint8Array(8).fill(0xff);
    new DataView(bytes.buffer).setUint32(0, raw >>> 0, true);
    return json(bytes, 0, 8, 0);
  };
  const below = wire.signed ? lowest - 1 : highest + 1;
  expect([lowest, highest, below, highest + 1].map(textAt)).toEqual([
    `{"pgn":1,"value":${lowest}}`,
    `{"pgn":1,"value":${highest}}`,
    '{"pgn":1}',
    '{"pgn":1}',
  ]);
});

/** The eight bytes of a number, little-endian. */
const int64 = (raw: bigint): Uint8Array => new Uint8Array(BigInt64Array.of(raw).buffer);

test("a latitude of 64 bits keeps ten decimals", () => {
  const json = textOf(jsonWriterOf(pgn(1, "one number", { value: latitude(s64) })));
  expect(json(int64(521_234_567_891_234_567n), 0, 8, 0)).toBe('{"pgn":1,"value":52.1234567891}');
  expect(json(int64(-1_000_000n), 0, 8, 0)).toBe('{"pgn":1,"value":-0.0000000001}');
  expect(json(int64(900_000_000_000_000_000n), 0, 8, 0)).toBe('{"pgn":1,"value":90}');
  expect(json(int64(900_000_000_000_600_000n), 0, 8, 0)).toBe('{"pgn":1}');
  expect(json(int64(0x7fff_ffff_ffff_ffffn), 0, 8, 0)).toBe('{"pgn":1}');
  fc.assert(
    fc.property(fc.bigInt({ min: -(9n * 10n ** 17n), max: 9n * 10n ** 17n }), (raw) => {
      const rest = ((raw % 1_000_000n) + 1_000_000n) % 1_000_000n;
      // A double is off by up to 64 here, which decides nothing but a tie.
      fc.pre(rest < 499_900n || rest > 500_100n);
      const count = (raw - rest) / 1_000_000n + (rest > 500_000n ? 1n : 0n);
      const { value } = JSON.parse(json(int64(raw), 0, 8, 0));
      expect(BigInt(Math.round(value * 1e10))).toBe(count);
    }),
  );
});

test("ties go up: 0.1 K has half a tenth of a degree Celsius", () => {
  const json = textOf(jsonWriterOf(definitions.find((each) => each.pgn === 130316)!));
  const at = (raw: number): number =>
    JSON.parse(json(Uint8Array.of(255, 255, 255, 255, 255, 255, raw & 0xff, raw >> 8), 0, 8, 0)).setTempC;
  expect([at(2932), at(2532), at(2731), at(2732)]).toEqual([20.1, -19.9, 0, 0.1]);
});

test("a number that the wire cannot hold is written as not available", () => {
  const definition = oneNumber(decimal({ bits: 16, signed: false, highest: 65532, lowest: 0 }, { per: 100 }));
  const encode = encoderOf(definition);
  for (const value of [655.33, -0.01, 1e9, Number.NaN, Number.POSITIVE_INFINITY])
    expect([...encode({ pgn: 1, value }).subarray(0, 2)]).toEqual([255, 255]);
  expect([...encode({ pgn: 1, value: 655.32 }).subarray(0, 2)]).toEqual([252, 255]);
});

test("layouts of the operator read numbers of any width below 33 bits", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ bits: fc.integer({ min: 1, max: 25 }), signed: fc.boolean() }), {
        minLength: 1,
        maxLength: 12,
      }),
      fc.uint8Array({ minLength: 40, maxLength: 40 }),
      (widths, bytes) => {
        const list = widths.map((width, index) => ({ id: `f${index}`, ...width }));
        const {
          settings: { modes },
          warnings,
        } = canSettings.read({ pgn: { 127490: list } });
        expect(warnings).toEqual([]);
        const definition = modes.get(127490);
        if (typeof definition !== "object") throw new Error("no definition");
        const read = decoderOf(definition)(bytes, 0, bytes.length, 0) as Readonly<Record<string, number>>;
        const all = bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
        let bit = 0n;
        for (const { id, bits, signed } of list) {
          const raw = Number((signed ? BigInt.asIntN : BigInt.asUintN)(bits, all >> bit));
          if (read[id] !== undefined) expect(read[id]).toBe(raw);
          bit += BigInt(bits);
        }
      },
    ),
  );
});
