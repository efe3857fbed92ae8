/** The limits of a watch in one line. */
import { expect, test } from "vitest";
import { alarmSettings } from "../../../../src/core/alarms/settings.ts";
import { jsonSchemaOf } from "../../../../src/core/report/json-schema.ts";
import { limitText } from "../../../../src/web/display/boat/limit-text.ts";
import { defaultUnits, type UnitChoice } from "../../../../src/web/display/instruments/units.ts";

const { properties: schemas = {} } = jsonSchemaOf(alarmSettings.schema);

const feet = {
  ...defaultUnits,
  depth: "ft",
  distance: "mi",
  temperature: "°F",
  wind: "m/s",
  airPressure: "inHg",
} as const;
const text = (kind: string, values = {}, units: UnitChoice = defaultUnits) =>
  limitText(schemas[kind]!, { kind, units }, values);

test("a limit that is not set is its default, and one that is set has its unit", () => {
  expect(text("depth")).toBe("below 2\u202fm · installed · for 2\u202fs · sounds again after 5\u202fmin");
  expect(text("depth", { limit: 3.5, reference: "keel", delay: 0 })).toBe(
    "below 3.5\u202fm · below keel · sounds again after 5\u202fmin",
  );
});

test.each(["transducer", "keel", "surface"] as const)(
  "as installed, below %s: one word with the depth",
  (installed) => {
    const reader = { kind: "depth", units: defaultUnits, installed };
    expect(limitText(schemas.depth!, reader)).toContain(`below 2\u202fm · below ${installed} · `);
    expect(limitText(schemas.depth!, reader, { reference: "keel" })).toContain("· below keel ·");
  },
);

test.each([
  ["depth", "below 6.56\u202fft"],
  ["anchor", "131\u202fft"],
  ["engineTemperature", "above 208.4\u202f°F"],
  ["guardZone", "\u202fmi"],
  ["wind", "\u202fm/s"],
  ["oilPressure", "\u202fbar"],
])("a limit of %s is in the unit of the crew: %s", (kind, part) => {
  expect(text(kind, {}, feet)).toContain(part);
});

test.each([
  ["metric", defaultUnits, /(m|s|min|NM|kn|V|%|bar|hPa|MB|°C|°)$/],
  ["feet", feet, /(ft|s|min|mi|kn|m\/s|V|%|bar|inHg|MB|°F|°)$/],
])("each limit has a unit, and each time says of what it is: %s", (_, units, unit) => {
  const numbered = /^(below |above |for |sounds again after )?-?[\d.]+(\u202f|°$)/;
  for (const kind of Object.keys(schemas))
    for (const part of text(kind, {}, units).split(" · "))
      expect(/^[a-z]*$/.test(part) || (numbered.test(part) && unit.test(part)), `${kind}: ${part}`).toBe(true);
  const times = Object.keys(schemas).flatMap((kind) => text(kind, {}, units).split(" · "));
  expect(times.filter((each) => /^[\d.]+\u202f(s|min)$/.test(each))).toEqual([]);
});

test("the words of a description do not matter", () => {
  for (const [kind, schema] of Object.entries(schemas)) {
    const reworded = Object.entries(schema.properties ?? {}).map(([name, of]) => [name, { ...of, description: "" }]);
    const reader = { kind, units: defaultUnits };
    expect(limitText({ ...schema, properties: Object.fromEntries(reworded) }, reader)).toBe(limitText(schema, reader));
  }
  expect(text("engineTemperature")).toContain("above 98\u202f°C");
});
