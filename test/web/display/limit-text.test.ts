/** The limits of a watch in one line. */
import { expect, test } from "vitest";
import { alarmSettings } from "../../../src/core/alarms/settings.ts";
import { jsonSchemaOf } from "../../../src/core/report/json-schema.ts";
import { limitText } from "../../../src/web/display/boat/limit-text.ts";

const { properties: schemas = {} } = jsonSchemaOf(alarmSettings.schema);

test("a limit that is not set is its default, and one that is set has its unit", () => {
  expect(limitText(schemas.depth!)).toBe("below 2\u202fm · transducer · for 2\u202fs · sounds again after 5\u202fmin");
  expect(limitText(schemas.depth!, { limit: 3.5, reference: "keel", delay: 0 })).toBe(
    "below 3.5\u202fm · keel · sounds again after 5\u202fmin",
  );
});

test("each limit has a unit, and each time says of what it is", () => {
  for (const [kind, schema] of Object.entries(schemas))
    for (const text of limitText(schema).split(" · "))
      expect(`${kind}: ${text}`).toMatch(
        /: ($|[a-z]+$|(below |above |for |sounds again after )?[\d.]+\u202f(m|s|min|NM|kn|V|%|kPa|hPa|MB|°C|degrees)$)/,
      );
  const times = Object.values(schemas).flatMap((schema) => limitText(schema).split(" · "));
  expect(times.filter((text) => /^[\d.]+\u202f(s|min)$/.test(text))).toEqual([]);
});

test("the words of a description do not matter", () => {
  for (const schema of Object.values(schemas)) {
    const reworded = Object.entries(schema.properties ?? {}).map(([name, of]) => [name, { ...of, description: "" }]);
    expect(limitText({ ...schema, properties: Object.fromEntries(reworded) })).toBe(limitText(schema));
  }
  expect(limitText(schemas.engineTemperature!)).toContain("above 98\u202f°C");
});
