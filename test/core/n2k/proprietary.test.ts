/** Proprietary PGNs that are written by hand, beside those of the public table. */
import { expect, test } from "vitest";
import { createCatalogue } from "../../../src/core/n2k/catalogue.ts";
import { pgn } from "../../../src/core/n2k/definition.ts";
import type { ChoiceField } from "../../../src/core/n2k/field.ts";
import { payloadOf } from "../../../src/core/n2k/payload.ts";
import { ofManufacturer, proprietary } from "../../../src/core/n2k/pgns/proprietary.ts";
import { manufacturers } from "../../../src/core/n2k/public-database.ts";
import { proprietaryRanges } from "../../../src/core/n2k/public-names.ts";
import { publicPgns } from "../../../src/core/n2k/public-pgns.ts";
import { choice, integer, reserved } from "../../../src/core/n2k/verbs.ts";
import { u8, u16 } from "../../../src/core/n2k/wire.ts";
import { table } from "./public-table.ts";

const SIMRAD = 1857;
/** 65341, of which the public table has a layout of Simrad's. */
const pilotMode = pgn(
  65341,
  "Pilot Mode",
  { ...ofManufacturer(SIMRAD, "Simrad"), kind: integer(u16), mode: choice(u8, ["Standby", "Auto"]), _: reserved(24) },
  { matches: { manufacturer: SIMRAD, kind: 7 } },
);

/** The published object for a payload in hexadecimal. */
function read(own: Parameters<typeof publicPgns>[1], number: number, payload: string): unknown {
  const { publicReader, setPublic } = createCatalogue();
  setPublic({ pgns: publicPgns(table, own), isWanted: () => true });
  const bytes = Uint8Array.from(Buffer.from(payload, "hex"));
  return publicReader(number)!.message(payloadOf(bytes, 3));
}

test("a definition takes the messages that it matches, and leaves the others of its PGN to the public table", () => {
  const own = "4187" + "0700" + "01" + "ffffff";
  expect(read([pilotMode], 65341, own)).toEqual({
    ...{ pgn: 65341, title: "Pilot Mode", manufacturer: "Simrad", industryGroup: "Marine Industry" },
    ...{ kind: 7, mode: "Auto" },
  });
  expect(read([pilotMode], 65341, "4187" + "0800" + "01" + "ffffff")).toMatchObject({
    title: "Simnet: Autopilot Angle",
  });
  // A PGN of Raymarine's, of which the table has no layout.
  expect(read([pilotMode], 65341, "3b9f0700ffffffff")).toMatchObject({ manufacturer: "Raymarine" });
  expect(read([], 65341, own)).toMatchObject({ title: "Simnet: Autopilot Angle" });
});

test("a definition cannot match a field that has no place", () => {
  const own = pgn(65500, "Own", { value: integer(u8) }, { matches: { other: 1 } as object });
  expect(() => publicPgns(table, [own]).variants(65500)).toThrow("Own: other has no fixed place");
});

test("those that are written are proprietary PGNs, each told from others by its manufacturer", () => {
  for (const { pgn: number, title, matches, fields } of proprietary) {
    const code = matches?.manufacturer;
    const name = new Map(manufacturers).get(code!);
    expect((fields.manufacturer as ChoiceField | undefined)?.choices, title).toEqual({ [code!]: name });
    expect(
      proprietaryRanges.some(({ first, last }) => number >= first && number <= last),
      title,
    ).toBe(true);
    expect(Object.keys(matches ?? {}), title).toContain("manufacturer");
  }
});
