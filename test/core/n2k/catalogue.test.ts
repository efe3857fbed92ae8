import { describe, expect, test } from "vitest";
import { createCatalogue, unknownJson } from "../../../src/core/n2k/catalogue.ts";
import { canSettings } from "../../../src/core/n2k/layout-modes.ts";
import { payloadOf } from "../../../src/core/n2k/payload.ts";
import { definitions } from "../../../src/core/n2k/pgns/index.ts";
import { titleOf } from "../../../src/core/n2k/public-names.ts";
import { textOf } from "../../../src/core/text/ascii-buffer.ts";

test("there is a reader for each definition, in their order, in every layout mode", () => {
  const pgns = definitions.map(({ pgn }) => pgn);
  const { modes } = canSettings.read({ pgn: { 127490: "off", 127747: "public" } }).settings;
  for (const { readers } of [createCatalogue(), createCatalogue(modes)]) {
    expect(readers.map(({ definition }) => definition.pgn)).toEqual(pgns);
  }
});

test("assumed lists what is read by an assumed layout", () => {
  expect(createCatalogue().assumed()).toHaveLength(16);
  const { modes } = canSettings.read({
    pgn: { 127490: "off", 127491: "public", 127494: [{ id: "a", bits: 8 }] },
  }).settings;
  const list = createCatalogue(modes).assumed();
  expect(list).toHaveLength(13);
  expect(list).not.toContain(127490);
});

describe("setLayoutModes", () => {
  const modesOf = (pgn: object) => canSettings.read({ pgn }).settings.modes;
  const layout = [{ id: "value", bits: 8, strings: ["no", "yes"] }, { bits: 8 }];

  test("replaces the readers of the PGNs whose mode is another one, and only those", () => {
    const catalogue = createCatalogue(modesOf({ 127490: "off", 127491: layout }));
    const before = new Map(catalogue.readers.map((reader) => [reader.definition.pgn, reader]));
    const next = modesOf({ 127490: "off", 127491: layout, 127493: "auto", 127494: "assumed", 127747: layout });
    expect(catalogue.setLayoutModes(next)).toEqual([127494, 127747]);
    for (const [pgn, reader] of before) {
      expect(catalogue.reader(pgn) === reader, `${pgn}`).toBe(pgn !== 127494 && pgn !== 127747);
    }
    expect(catalogue.setLayoutModes(next)).toEqual([]);
    expect(catalogue.setLayoutModes(modesOf({ 127491: [...layout, { bits: 8 }] }))).toEqual([
      127490, 127491, 127494, 127747,
    ]);
    expect(catalogue.assumed()).not.toContain(127491);
  });

  test("keeps the counts of the readers that are replaced", () => {
    const catalogue = createCatalogue();
    const read = (): unknown => catalogue.reader(127750)!.message(payloadOf(Uint8Array.of(1, 2), 1));
    read();
    catalogue.setLayoutModes(modesOf({ 127750: "off" }));
    read();
    catalogue.setLayoutModes(new Map());
    read();
    expect(catalogue.unmatched()).toEqual(new Map([[127750, 2]]));
  });
});

test("select gives the reader of the layout that a message has, and counts once", () => {
  const reader = createCatalogue().reader(127750)!;
  const bytes = payloadOf(Uint8Array.of(1, 2), 1);
  const selected = reader.select(bytes);
  expect([selected.message(bytes), textOf(selected.write)(bytes)]).toEqual([{ pgn: 127750 }, '{"pgn":127750}']);
  expect(reader.unmatched()).toBe(1);
  const plain = createCatalogue().reader(127250)!;
  expect(plain.select(bytes)).toBe(plain);
});

test("message and json say the same", () => {
  const reader = createCatalogue().reader(127250)!;
  const bytes = payloadOf(Uint8Array.from(Buffer.from("07fa7dff7f55ff3d", "hex")), 1);
  expect(reader.message(bytes)).toEqual(JSON.parse(textOf(reader.write)(bytes)));
});

test("unknownJson is the number and the bytes", () => {
  expect(unknownJson(65280, Uint8Array.of(0, 0x3b, 0x9f, 0), 1, 3)).toBe('{"pgn":65280,"raw":"3b9f"}');
});

test("titleOf is the document's, else the public one, else Unknown", () => {
  expect(titleOf(127488)).toBe("Engine Parameters, Rapid Update");
  expect(titleOf(127490)).toBe("Engine Parameters, Static");
  expect(titleOf(127502)).toBe("Switch Bank Control");
  expect(titleOf(126996)).toBe("Product Information");
  expect(titleOf(65300)).toBe("Manufacturer Proprietary single-frame non-addressed");
  expect(titleOf(130900)).toBe("Manufacturer Proprietary fast-packet non-addressed");
  expect(titleOf(130000)).toBe("Unknown");
});
