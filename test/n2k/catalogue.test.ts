import { expect, test } from "vitest";
import { textOf } from "../../src/n2k/ascii-buffer.ts";
import { createCatalogue, feedsReportsOnly, unknownJson } from "../../src/n2k/catalogue.ts";
import { definitions } from "../../src/n2k/pgns/index.ts";
import { titleOf } from "../../src/n2k/public-names.ts";
import { readSwitches } from "../../src/n2k/switches.ts";

test("there is a reader for each definition, in their order, whatever the switches say", () => {
  const pgns = definitions.map(({ pgn }) => pgn);
  const { switches } = readSwitches({ pgn: { 127490: "off", 127747: "public" } });
  for (const { readers } of [createCatalogue(), createCatalogue(switches)]) {
    expect(readers.map(({ definition }) => definition.pgn)).toEqual(pgns);
  }
});

test("reader is undefined for PGNs that are unknown or feed the reports", () => {
  const { reader } = createCatalogue();
  for (const pgn of [65280, 60928, 126996, 128000, 60160]) expect(reader(pgn)).toBeUndefined();
  expect([65280, 60928, 126996, 128000, 60160, 60416].map(feedsReportsOnly)).toEqual([
    false,
    true,
    true,
    true,
    true,
    true,
  ]);
});

test("assumed lists what is read by an assumed layout", () => {
  expect(createCatalogue().assumed()).toHaveLength(16);
  const { switches } = readSwitches({ pgn: { 127490: "off", 127491: "public", 127494: [{ id: "a", bits: 8 }] } });
  const list = createCatalogue(switches).assumed();
  expect(list).toHaveLength(13);
  expect(list).not.toContain(127490);
});

test("message and json say the same", () => {
  const reader = createCatalogue().reader(127250)!;
  const bytes = Uint8Array.from(Buffer.from("07fa7dff7f55ff3d", "hex"));
  expect(reader.message(bytes, 0, 8, 1, 0)).toEqual(JSON.parse(textOf(reader.write)(bytes, 0, 8, 1, 0)));
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
