/** The texts of the assumed layouts, which no public source has: those that were chosen for them. */
import { expect, test } from "vitest";
import type { Fields } from "../../../src/core/n2k/field.ts";
import { assumed } from "../../../src/core/n2k/pgns/assumed.ts";

/** Texts by code, from 0 on. */
const chosen = `
127490 engineType: Diesel, Gasoline, Electric, Hybrid, Gas Turbine
127490 propulsionType: Shaft, Saildrive, Sterndrive, Outboard, Pod, Water Jet
127494 transmissionType: Mechanical, Hydraulic, Electric
127512 control: Off, On, Reserved
127514 status: Off, On, Error
127744 breakerState: Open, Closed, Tripped
127744 bypassState: Normal, Bypassed
127745 breakerCommand: Open, Close
127745 resetCommand: No Action, Reset
127746 breakerType: Thermal, Magnetic, Thermal-Magnetic, Electronic
127747 breakerState: Open, Closed, Tripped
127747 bypassState: Normal, Bypassed
127748 breakerState: Open, Closed, Tripped
127748 bypassState: Normal, Bypassed
127749 breakerCommand: Open, Close
127749 resetCommand: No Action, Reset
127750 breakerType: Thermal, Magnetic, Thermal-Magnetic, Electronic
127751 breakerState: Open, Closed, Tripped
127751 bypassState: Normal, Bypassed
128521 targetType: Radar, AIS, Combined
128522 zoneShape: Circle, Sector, Polygon
128522 zoneStatus: Disabled, Enabled, Alarm
`;

/** A line for each field that has texts. */
function* linesOf(pgn: number, fields: Fields): Generator<string> {
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === "repeat") yield* linesOf(pgn, field.group);
    if (field.kind !== "choice") continue;
    expect(Object.keys(field.choices)).toEqual(Object.keys(Object.values(field.choices)));
    yield `${pgn} ${name}: ${Object.values(field.choices).join(", ")}`;
  }
}

test("every field of an assumed layout has the texts that were chosen for it", () => {
  const found = assumed.flatMap(({ definition }) => [...linesOf(definition.pgn, definition.fields)]);
  expect(found).toEqual(chosen.trim().split("\n"));
});
