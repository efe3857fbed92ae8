import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCatalogue } from "../../../src/core/n2k/catalogue.ts";
import type { Definition } from "../../../src/core/n2k/definition.ts";
import { fastPacketTable } from "../../../src/core/n2k/fast-packets.ts";
import { keyNames } from "../../../src/core/n2k/layout.ts";
import { canSettings } from "../../../src/core/n2k/layout-modes.ts";
import { payloadOf } from "../../../src/core/n2k/payload.ts";
import { warningText } from "../../../src/core/report/read-entry.ts";
import { textOf } from "../../../src/core/text/ascii-buffer.ts";

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));

function listen(pgn: number, value: unknown): (hex: string) => unknown {
  const {
    settings: { modes },
    warnings,
  } = canSettings.read({ name: "can", pgn: { [pgn]: value } });
  expect(warnings).toEqual([]);
  const reader = createCatalogue(modes).reader(pgn)!;
  return (hex) => JSON.parse(textOf(reader.write)(payloadOf(bytes(hex), 3)));
}

const fastPacketOf = (pgn: number, value: unknown) =>
  createCatalogue(canSettings.read({ pgn: { [pgn]: value } }).settings.modes)
    .fastPackets()
    .find((each) => each.pgn === pgn);

describe("canSettings.read", () => {
  test("reads nothing from an entry without modes", () => {
    for (const entry of [undefined, null, 7, "can", {}, { name: "can" }])
      expect(canSettings.read(entry)).toEqual({ settings: canSettings.byDefault, warnings: [] });
  });

  test("takes the four words", () => {
    const pgn = { 127490: "off", 127491: "auto", 127494: "assumed", 127495: "public" };
    expect([...canSettings.read({ pgn }).settings.modes]).toEqual([
      [127490, "off"],
      [127491, "auto"],
      [127494, "assumed"],
      [127495, "public"],
    ]);
  });

  test.each([
    ["a list in place of modes", { pgn: [] }, "pgn: is not an object of modes by PGN"],
    ["a PGN of public layout", { pgn: { 127250: "off" } }, "pgn 127250: is not one of the PGNs of assumed layout"],
    ["no number", { pgn: { rudder: "off" } }, "pgn rudder: is not one of the PGNs of assumed layout"],
    [
      "another word",
      { pgn: { 127490: "on" } },
      "pgn 127490: is neither auto, assumed, public or off nor a list of fields",
    ],
    [
      "a wrong field",
      { pgn: { 127490: [{ id: "a b", bits: 8 }] } },
      "pgn 127490: is neither auto, assumed, public or off nor a list of fields",
    ],
    [
      "the message's own name",
      { pgn: { 127490: [{ id: "pgn", bits: 8 }] } },
      "pgn 127490: is neither auto, assumed, public or off nor a list of fields",
    ],
    [
      "a name twice",
      {
        pgn: {
          127490: [
            { id: "a", bits: 8 },
            { id: "a", bits: 8 },
          ],
        },
      },
      "pgn 127490: field 2: a is there twice",
    ],
    [
      "a number across five bytes",
      { pgn: { 127490: [{ bits: 4 }, { id: "a", bits: 32 }] } },
      "pgn 127490: field 2: 32 bits cannot be read at bit 4",
    ],
    [
      "texts of many bits",
      { pgn: { 127490: [{ id: "a", bits: 16, strings: ["x"] }] } },
      "pgn 127490: field 1: texts need 1 to 8 unsigned bits",
    ],
    [
      "a single frame of nine bytes",
      { pgn: { 127490: { transport: "single", fields: [{ id: "a", bits: 8 }, { bits: 64 }] } } },
      "pgn 127490: more than 8 bytes in a single frame",
    ],
  ])("warns of %s", (_, entry, warning) => {
    const { settings, warnings } = canSettings.read(entry);
    expect(settings).toEqual(canSettings.byDefault);
    expect(warnings.map(warningText)).toEqual([warning]);
  });

  test("keeps the mode in force where the new one cannot be read, and only there", () => {
    const before = canSettings.read({ pgn: { 127490: "off", 127491: "public", 127494: "off" } }).settings;
    const { modes } = canSettings.read(
      { pgn: { 127490: "of", 127491: [{ id: "a", bits: 99 }], 127495: "on" } },
      before,
    ).settings;
    expect([...modes]).toEqual([
      [127490, "off"],
      [127491, "public"],
    ]);
    expect(canSettings.read({ pgn: "off" }, before).settings.modes).toBe(before.modes);
    expect(canSettings.read({ name: "can" }, before).settings.modes.size).toBe(0);
  });

  test("keeps valid modes beside invalid ones", () => {
    const {
      settings: { modes },
      warnings,
    } = canSettings.read({ pgn: { 127490: "off", 127491: 7 } });
    expect([...modes.keys()]).toEqual([127490]);
    expect(warnings).toHaveLength(1);
  });

  test("never throws, for values of any shape", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("127490", "127751", "x"), fc.anything()), (pgn) => {
        const { modes } = canSettings.read({ pgn }).settings;
        createCatalogue(modes).fastPackets();
      }),
    );
  });
});

test("off publishes the number only", () => {
  expect(listen(127490, "off")("01 c734 02 ffffffff")).toEqual({ pgn: 127490 });
});

test("assumed takes every message by the assumed layout", () => {
  expect(listen(127744, "assumed")("05 01 7b00 c4090000")).toMatchObject({ acInstance: 5, breakerInstance: 1 });
});

test("public takes every message by the public layout", () => {
  expect(listen(127744, "public")("05 01 ff00 9cffffff")).toEqual({ pgn: 127744, acInstance: 1, realPowerW: -100 });
  expect(listen(127490, "public")("01 c734 02 ffffffff")).toEqual({ pgn: 127490 });
  expect(listen(128521, "public")("01 aa01 f2")).toEqual({ pgn: 128521 });
});

test("a layout of the operator's own: names, bits, signs, resolution, offset, texts", () => {
  const hear = listen(127495, [
    { id: "engineInstance", bits: 8 },
    { id: "mode", bits: 4, strings: ["Idle", "Slip"] },
    { bits: 4 },
    { id: "slipPercent", bits: 16, signed: true, resolution: 0.004, unit: "%" },
    { id: "temperatureC", bits: 16, resolution: 0.01, offset: -273.15, unit: "°C" },
    { id: "state", bits: 8, strings: { "7": "Hot" } },
  ]);
  expect(hear("01 f1 18fc a472 07 ff")).toEqual({
    pgn: 127495,
    engineInstance: 1,
    mode: "Slip",
    slipPercent: -4,
    temperatureC: 20.33,
    state: "Hot",
  });
  expect(hear("ff ff ff7f ffff ff ff")).toEqual({ pgn: 127495 });
});

describe("the meaning of a layout of the operator's own", () => {
  const definitionOf = (pgn: number, fields: readonly object[]): Definition =>
    canSettings.read({ pgn: { [pgn]: fields } }).settings.modes.get(pgn) as Definition;

  test("a field is a key where that of the same name is one in the assumed layout", () => {
    const fields = [{ id: "slipPercent", bits: 8 }, { id: "engineInstance", bits: 8 }, { bits: 8 }];
    expect(keyNames(definitionOf(127495, fields))).toEqual(["engineInstance"]);
  });

  test("or where the operator says so", () => {
    const fields = [
      { id: "engineInstance", bits: 8, key: false },
      { id: "shaft", bits: 8, key: true },
    ];
    expect(keyNames(definitionOf(127495, fields))).toEqual(["shaft"]);
  });

  test("a quantity is that of the field of the same name", () => {
    const { powerFactor } = definitionOf(127747, [{ id: "powerFactor", bits: 8, resolution: 0.01 }]).fields;
    expect(powerFactor).toMatchObject({ quantity: "powerFactor" });
  });

  test("a command remains an event", () => {
    expect(definitionOf(127512, [{ id: "instance", bits: 8 }])).toMatchObject({ event: true, about: "command" });
  });
});

describe("the fast-packet table", () => {
  test("of a PGN whose assumed message is a single frame", () => {
    expect(fastPacketOf(127490, "auto")).toBeUndefined();
    expect(fastPacketOf(127490, "assumed")).toBeUndefined();
    expect(fastPacketOf(127490, "public")).toEqual({ pgn: 127490 });
    expect(fastPacketOf(127744, "public")).toBeUndefined();
  });

  test("of a PGN whose assumed message is a fast packet: guarded by its length while both may come", () => {
    expect(fastPacketOf(127747, "auto")).toEqual({ pgn: 127747, length: 15 });
    expect(fastPacketOf(127751, "auto")).toEqual({ pgn: 127751, length: 14 });
    expect(fastPacketOf(127751, "off")).toEqual({ pgn: 127751, length: 14 });
    expect(fastPacketOf(127747, "assumed")).toEqual({ pgn: 127747 });
    expect(fastPacketOf(127747, "public")).toBeUndefined();
    expect(fastPacketOf(128521, "auto")).toEqual({ pgn: 128521 });
  });

  test("of a layout of the operator's own: by its size, or as said", () => {
    expect(fastPacketOf(127490, [{ id: "a", bits: 8 }])).toBeUndefined();
    expect(fastPacketOf(127490, [{ id: "a", bits: 8 }, { bits: 64 }])).toEqual({ pgn: 127490 });
    expect(fastPacketOf(127512, { transport: "fast", fields: [{ id: "instance", bits: 8 }] })).toEqual({ pgn: 127512 });
  });

  test("of all PGNs: public, proprietary, and none twice", () => {
    const list = createCatalogue().fastPackets();
    const fast = new Set(list.map(({ pgn }) => pgn));
    expect(list).toHaveLength(fast.size);
    for (const pgn of [126208, 126720, 126996, 129029, 129540, 130816, 131071, 130568])
      expect(fast.has(pgn)).toBe(true);
    for (const pgn of [59904, 60928, 61184, 65240, 65280, 127250, 128523]) expect(fast.has(pgn)).toBe(false);
    expect(fastPacketTable(list)).toHaveLength(2 * list.length);
  });
});
