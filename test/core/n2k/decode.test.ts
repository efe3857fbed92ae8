import { describe, expect, test } from "vitest";
import { decoderOf, exactDecoderOf } from "../../../src/core/n2k/decode.ts";
import { pgn } from "../../../src/core/n2k/definition.ts";
import { acInputStatus, acOutputStatus } from "../../../src/core/n2k/pgns/electrical.ts";
import { definitions } from "../../../src/core/n2k/pgns/index.ts";
import { vesselHeading } from "../../../src/core/n2k/pgns/steering.ts";
import { integer, repeat } from "../../../src/core/n2k/verbs.ts";
import { u8 } from "../../../src/core/n2k/wire.ts";
import { fixtures } from "./fixtures.ts";

const cases = fixtures.flatMap(({ pgn, payload }) => {
  const definition = definitions.find((one) => one.pgn === pgn);
  return definition === undefined ? [] : [{ pgn, payload, definition }];
});

describe("exactDecoderOf", () => {
  /** A number to its last decimal, as `decoderOf` rounds it. */
  const toDecimals = (value: unknown, like: unknown): unknown => {
    if (Array.isArray(value))
      return value.map((entry, index) => toDecimals(entry, (like as readonly unknown[])[index]));
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
          name,
          toDecimals(member, (like as typeof value)[name as never]),
        ]),
      );
    // A number that is printed with d decimals was rounded to as many, or to more with zeros at their end.
    const step = 10 ** -(String(like).split(".")[1]?.length ?? 0);
    return typeof value === "number" && Math.abs(value - (like as number)) < 0.5000001 * step ? like : value;
  };

  test.each(cases)("$pgn: says what decoderOf says, before rounding", ({ definition, payload }) => {
    const rounded = decoderOf(definition)(payload, 0, payload.length, 3);
    expect(toDecimals(exactDecoderOf(definition)(payload, 0, payload.length, 3), rounded)).toEqual(rounded);
  });

  test("does not round numbers", () => {
    const payload = Uint8Array.from(Buffer.from("07fa7dff7f55ff3c", "hex"));
    const { headingDeg } = exactDecoderOf(vesselHeading)(payload, 0, 8, 3);
    expect(headingDeg).toBeCloseTo((0x7dfa / 1e4 / Math.PI) * 180, 12);
    expect(decoderOf(vesselHeading)(payload, 0, 8, 3).headingDeg).toBe(184.779);
  });

  test.each(cases)("$pgn: has the same members, in one order, when nothing is available", ({ definition, payload }) => {
    const read = exactDecoderOf(definition);
    const empty = read(payload, 0, 0, 3);
    expect(Object.keys(empty)).toEqual(Object.keys(read(payload, 0, payload.length, 3)));
    expect(Object.keys(empty)).toEqual(
      expect.arrayContaining(Object.keys(decoderOf(definition)(payload, 0, payload.length, 3))),
    );
  });
});

test.each<[pgn: number, payload: string, read: object]>([
  // 210 degrees are added on the wire: 300 and 390 are the largest, 120 and 30 the least.
  [65267, "005ed0b2 004775e8", { latitude: 90, longitude: 180 }],
  [65267, "015ed0b2 014775e8", {}],
  [65267, "008c8647 00a3e111", { latitude: -90, longitude: -180 }],
  [65267, "ff8b8647 ffa2e111", {}],
  [65256, "00b4 ffff ffff ffff", { compassBearing: 360 }],
  [65256, "01b4 ffff ffff ffff", {}],
  [129033, "ffff ffffffff 2eff", { localOffset: -210 }],
  [129033, "ffff ffffffff ffff", { localOffset: -1 }],
  [129033, "ffff ffffffff ff7f", {}],
])("%i of %s: a number out of its range is absent", (pgn, hex, read) => {
  const payload = Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
  const definition = definitions.find((one) => one.pgn === pgn)!;
  expect(decoderOf(definition)(payload, 0, payload.length, 3)).toEqual({ pgn, ...read });
});

describe.each([acInputStatus, acOutputStatus])("$pgn: of the lines of a message", (definition) => {
  /** A line by its code (0 is line 1) with a voltage. */
  const line = (code: number, volts: number): number[] => {
    const hundredths = volts * 100;
    return [0xfc | code, hundredths & 0xff, hundredths >> 8, ...new Array<number>(15).fill(0xff)];
  };
  const voltageOf = (...lines: readonly number[][]): unknown => {
    const payload = Uint8Array.of(1, lines.length, ...lines.flat());
    return decoderOf(definition)(payload, 0, payload.length, 3).line1VoltageV;
  };

  test.each([
    ["line 1 wherever it stands", [line(1, 115), line(0, 230)], 230],
    ["the first line 1", [line(2, 100), line(0, 230), line(0, 240)], 230],
    ["the first one where none is line 1", [line(1, 115), line(2, 116)], 115],
  ])("%s is published", (_, lines, volts) => expect(voltageOf(...lines)).toBe(volts));
});

test("a list has as many entries as the message says, though bytes go on", () => {
  const read = decoderOf(pgn(1, "a list", { n: integer(u8), list: repeat({ value: integer(u8) }, { count: "n" }) }));
  expect(read(Uint8Array.of(2, 5, 6, 7), 0, 4, 0)).toEqual({ pgn: 1, n: 2, list: [{ value: 5 }, { value: 6 }] });
});
