/** Numbers that the crew reads and types in its own units, and that are stored as they were. */
import { afterEach, expect, test } from "vitest";
import { type JsonSchema, MARKS } from "../../../../src/core/report/json-schema.ts";
import { type ReportUnit, unitWords } from "../../../../src/core/report/unit-words.ts";
import { sentence } from "../../../../src/core/text/sentence.ts";
import { valueText } from "../../../../src/web/display/alarms/alarms.ts";
import { stepped } from "../../../../src/web/display/alarms/anchor-controls.tsx";
import { differences } from "../../../../src/web/display/boat/difference.ts";
import { formEntries } from "../../../../src/web/display/boat/entries.ts";
import { storedText } from "../../../../src/web/display/boat/stored-text.ts";
import { changeSettings } from "../../../../src/web/display/data/settings.ts";
import { crewUnit, lengthText } from "../../../../src/web/display/instruments/crew-unit.ts";
import { momentText } from "../../../../src/web/display/instruments/moments.ts";
import { defaultUnits, measureNames, type UnitChoice, unitsOf } from "../../../../src/web/display/instruments/units.ts";

afterEach(() => changeSettings({ timeZone: "UTC", units: defaultUnits }));

const american: UnitChoice = { ...defaultUnits, depth: "ft", distance: "mi", temperature: "°F", enginePressure: "psi" };
const choices = measureNames.flatMap((name) =>
  Object.keys(unitsOf(name)).map((unit): [string, UnitChoice] => [
    `${name} ${unit}`,
    { ...defaultUnits, [name]: unit },
  ]),
);

test.each(choices)("with %s, what is typed is shown again as it was typed, and stored as what it is", (_, units) => {
  for (const unit of ["m", "NM", "kn", "°C", "kPa", "hPa", "V", "%"])
    for (const kind of [undefined, "depth", "wind"]) {
      const crew = crewUnit({ unit, kind }, units);
      for (const typed of [0, 2, 2.5, 10, 98.6]) {
        if (crew !== undefined) expect(crew.show(crew.store(typed)), `${unit} ${kind}`).toBeCloseTo(typed, 1);
      }
    }
});

test("what is typed back to what was shown is stored as it was", () => {
  const feet = crewUnit({ unit: "m" }, american)!;
  expect([feet.show(5), feet.store(16.4, 5), feet.store(16.5, 5)]).toEqual([16.4, 5, 5.0292]);
});

test("ten feet, a hundred miles, 208 degrees Fahrenheit, 15 psi", () => {
  const store = (unit: string, shown: number) => crewUnit({ unit }, american)!.store(shown);
  expect([store("m", 10), store("NM", 100), store("°C", 208), store("kPa", 15)]).toEqual([
    3.048, 86.8976, 97.7778, 103.4214,
  ]);
  expect(crewUnit({ unit: "m" }, defaultUnits)).toBeUndefined();
  expect(crewUnit({ unit: "kn", kind: "wind" }, { ...defaultUnits, wind: "Bft" })).toBeUndefined();
});

test("fathoms are for depths: a chain is in feet", () => {
  const units: UnitChoice = { ...defaultUnits, depth: "fm" };
  expect(crewUnit({ unit: "m", kind: "depth" }, units)?.unit).toBe("fm");
  expect(crewUnit({ unit: "m", kind: "anchor" }, units)?.unit).toBe("ft");
});

test("the radius of an anchor in feet goes up and down by fifteen, and back to where it was", () => {
  expect(stepped(40, 1, defaultUnits)).toBe(45);
  let radius = 40;
  const shown = [lengthText(american, radius)];
  for (const by of [1, 1, 1, -1, -1, -1] as const) {
    radius = stepped(radius, by, american);
    shown.push(lengthText(american, radius));
  }
  expect(shown.map(([feet]) => feet)).toEqual(["131", "144", "161", "174", "161", "144", "131"]);
});

test("alarms are in the units of the crew, each value once", () => {
  const alarm = { id: "a", severity: "alarm", state: "active", title: "A", since: "2026-11-28T00:00:00.000Z" } as const;
  const text = (more: object) => valueText({ ...alarm, kind: "depth", ...more }, american).replaceAll("\u202f", " ");
  expect(text({ value: 1.5, limit: 2, unit: "m" })).toBe("4.9 ft, limit 6.6 ft");
  expect(text({ kind: "anchor", value: 47, limit: 40, unit: "m" })).toBe("154 ft, limit 131 ft");
  expect(text({ kind: "cpa", value: 0.07, unit: "nm", minutes: 5 })).toBe("0.08 mi in 5:00");
  changeSettings({ units: american });
  const sentences = [sentence`reported by the engine`, sentence`measured ${{ number: 98.5, unit: "°C" }}`];
  expect(text({ kind: "engineTemperature", sentences })).toBe("reported by the engine, measured 209 °F");
  expect(text({ kind: "oilPressure", value: 90, limit: 100, unit: "kPa" })).toBe("13 psi, limit 15 psi");
});

test("the difference of a deployment has the stored unit, and that of the crew", () => {
  const settings = (limit: number, radius: number) => ({
    settings: [{ name: "alarms", depth: { limit }, anchor: { radius }, newer: { limit } }],
  });
  const told = (units: UnitChoice) =>
    differences(settings(2, 40), settings(3, 50), String, storedText(units)).map((each) =>
      each.replaceAll("\u202f", " "),
    );
  expect(told(american)).toEqual([
    'Alarm "Depth", limit: 2 m (6.56 ft) → 3 m (9.84 ft)',
    'Alarm "Anchor", radius: 40 m (131 ft) → 50 m (164 ft)',
    'Alarm "newer", limit: 2 → 3',
  ]);
  expect(told(defaultUnits)[0]).toBe('Alarm "Depth", limit: 2 m → 3 m');
});

test("the description of each number in a unit has its words once, so that a form can put the crew's in their place", () => {
  const marked: string[] = [];
  const look = (schema: JsonSchema): void => {
    const unit = schema[MARKS]?.unit as ReportUnit | undefined;
    if (unit !== undefined && schema.type === "number" && crewUnit({ unit }, american) !== undefined) {
      marked.push(unit);
      expect(schema.description?.split(unitWords[unit]).length, schema.description).toBe(2);
    }
    for (const member of Object.values(schema.properties ?? {})) look(member);
  };
  for (const { schema } of formEntries) look(schema);
  expect(new Set(marked)).toEqual(new Set(["m", "NM", "°C", "kPa"]));
});

test("a moment is in the zone of the crew and says so, in one fashion", () => {
  expect(momentText("2026-11-28T13:09:05.500Z")).toBe("2026-11-28 13:09:05 UTC");
  expect(momentText(Date.parse("2026-11-28T13:09:05Z"))).toBe("2026-11-28 13:09:05 UTC");
  changeSettings({ timeZone: "local" });
  expect(momentText("2026-11-28T13:09:05Z")).toMatch(/^2026-11-\d\d \d\d:\d\d:05 LT$/);
  expect(momentText("never")).toContain("never");
});
