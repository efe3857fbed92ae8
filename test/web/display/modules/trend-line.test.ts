/** The line of a trend is in the unit of the readout. */
import { expect, test } from "vitest";
import { instrumentNames, instrumentOf } from "../../../../src/web/display/instruments/instruments.ts";
import { defaultUnits, measureNames, type UnitChoice, unitsOf } from "../../../../src/web/display/instruments/units.ts";
import { instrumentLine, linePoints } from "../../../../src/web/display/trend/trend-line.ts";
import { histories } from "../../../../src/web/display/trend/trend-memory.ts";

const VALUE = 12.3;

const otherUnits = Object.fromEntries(
  measureNames.map((name) => [name, Object.keys(unitsOf(name)).find((unit) => unit !== defaultUnits[name])]),
) as unknown as UnitChoice;

test.each(instrumentNames)("%s", (name) => {
  histories[name].minutes.add(VALUE, performance.now() / 1000);
  for (const units of [defaultUnits, otherUnits]) {
    const point = linePoints(instrumentLine(name), "minutes", units).at(-1)!.value!;
    const text = instrumentOf(name).format.text(VALUE, units);
    // Texts are rounded to whole numbers at the most, a time to minutes.
    expect(Math.abs(Number.parseFloat(text) - point), text).toBeLessThanOrEqual(0.5);
  }
});
