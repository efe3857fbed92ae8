/** The table of units, and names for generators of code. */
import { describe, expect, test } from "vitest";
import { unitOf } from "../../../src/core/n2k/label.ts";
import { publishedFields } from "../../../src/core/n2k/layout.ts";
import { definitions } from "../../../src/core/n2k/pgns/index.ts";
import { asyncApiDocument } from "../../../src/core/topics/async-api.ts";
import { publicTopicSchemas, topicSchemas } from "../../../src/core/topics/schemas.ts";
import { unitsTable } from "../../../src/core/topics/units.ts";
import { shared } from "../n2k/public-table.ts";

interface Entry {
  readonly title: string;
  readonly publicTitle?: string;
  readonly members: Readonly<Record<string, { readonly unit: string; readonly ucum?: string }>>;
}

const topics = [...topicSchemas, ...publicTopicSchemas(shared)];
const table = unitsTable(topics) as Readonly<Record<string, Entry>>;

describe.each(definitions)("$pgn", (definition) => {
  test("has the units of its fields, and the public title if it is another", () => {
    const { members, publicTitle } = table[`pgn-${definition.pgn}`]!;
    for (const { name, field } of publishedFields(definition)) {
      const unit = unitOf(field, definition.fields);
      if (unit !== undefined && definition.origin !== "assumed") expect(members[`data.${name}`]?.unit, name).toBe(unit);
    }
    expect(publicTitle).toBe(definition.publicTitle);
  });
});

test.each([
  ["navigation", "data.speed_course.rateOfTurn", "deg/s", "deg/s"],
  ["navigation", "data.position.source.age", "s", "s"],
  ["navigation", "data.wind_apparent.speed", "kn", "[kn_i]"],
  ["ais", "data.targets[].cpa", "NM", "[nmi_i]"],
  ["ais", "data.targets[].rot", "deg/min", "deg/min"],
  ["alarms", "data.anchorWatch.radius", "m", "m"],
  ["health", "data.memoryBytes", "B", "By"],
  ["traffic", "data.devices[].pgns[].periodMs", "ms", "ms"],
  ["interface", "data.config.bitrate", "bit/s", "bit/s"],
  ["interface", "data.gateway.busLoadPercent", "%", "%"],
])("%s: %s is in %s, %s of UCUM", (topic, path, unit, ucum) => {
  expect(table[topic]!.members[path]).toEqual({ unit, ucum });
});

test("a number without a unit is not in the table", () => {
  expect(table.navigation!.members).not.toHaveProperty("data.position.hdop");
  expect(table.ais!.members).not.toHaveProperty("data.targets[].mmsi");
  expect(table.traffic!.members).not.toHaveProperty("data.devices[].packets");
});

test("every unit but one has a code of UCUM", () => {
  const without = Object.values(table)
    .flatMap(({ members }) => Object.values(members))
    .filter(({ ucum }) => ucum === undefined);
  expect([...new Set(without.map(({ unit }) => unit))]).toEqual(["sqrt(m)"]);
});

test("titles of schemas and names of messages are names of types without punctuation", () => {
  for (const { schema } of topics) expect(schema.title).toMatch(/^[\p{L}\d ]+$/u);
  const { components } = asyncApiDocument(topics, "1.0.0", "") as {
    readonly components: { readonly messages: Readonly<Record<string, { readonly name: string }>> };
  };
  const names = Object.values(components.messages).map(({ name }) => name);
  for (const name of names) expect(name).toMatch(/^[A-Z][A-Za-z\d]*$/);
  expect(new Set(names).size).toBe(names.length);
});

test("an enumeration with other codes has its type in each alternative", () => {
  const { properties } = topics.find(({ id }) => id === "pgn-65323" || id === "pgn-65305")!.schema;
  const text = JSON.stringify(properties);
  expect(text).toContain('"anyOf":[{"type":"string","enum":');
  expect(text).not.toMatch(/"anyOf":\[\{"enum"/);
});
