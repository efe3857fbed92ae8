/** What others build on, as files that a change shows up in: schemas, PGN reference, AsyncAPI. `vitest -u` rewrites them. */
import { readdirSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { topicSchemas } from "../../src/bridge/topic-schemas.ts";
import { asyncApiDocument } from "../../src/n2k/async-api.ts";
import { pgnReference } from "../../src/n2k/describe.ts";
import { fixtures } from "./fixtures.ts";

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const snapshots = "../snapshots";

test.each(topicSchemas)("schema of $id", async ({ id, schema }) => {
  await expect(json(schema)).toMatchFileSnapshot(`${snapshots}/schemas/${id}.schema.json`);
});

test("every schema in the folder is that of a topic", () => {
  const names = topicSchemas.map(({ id }) => `${id}.schema.json`);
  expect(readdirSync("test/snapshots/schemas").sort()).toEqual(names.sort());
});

test("reference of the PGNs", async () => {
  await expect(pgnReference()).toMatchFileSnapshot(`${snapshots}/pgns.md`);
});

test("AsyncAPI document", async () => {
  await expect(json(asyncApiDocument(topicSchemas, "1"))).toMatchFileSnapshot(`${snapshots}/asyncapi.json`);
});

test("references within the AsyncAPI document lead somewhere", () => {
  const document = asyncApiDocument(topicSchemas, "1");
  for (const [, path] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = path!.split("/").reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
    expect(target, path).toBeDefined();
  }
});

describe("schemas", () => {
  // Annotations begin with `x-`; everything else must be known to the dialect.
  const ajv = new Ajv2020.default({ strict: true, strictTypes: false, formats: { "date-time": true, date: true } });
  for (const keyword of ["x-unit", "x-origin", "x-beyond-document"]) ajv.addKeyword(keyword);
  const metadata = { rxDate: "2026-11-21T08:14:26.123Z", rxTimestamp: 1795248866, expireAfterSec: 60 };

  test.each(topicSchemas)("$id is a schema of draft 2020-12", ({ schema }) => {
    expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    expect(() => ajv.compile(schema)).not.toThrow();
  });

  test.each(fixtures.filter(({ pgn }) => topicSchemas.some(({ id }) => id === `pgn-${pgn}`)))(
    "$pgn: its fixture is valid, another PGN and an unknown member are not",
    ({ pgn, json: text }) => {
      const { schema } = topicSchemas.find(({ id }) => id === `pgn-${pgn}`)!;
      const validate = ajv.getSchema(schema.$id!) ?? ajv.compile(schema);
      const data = JSON.parse(text);
      expect(validate({ data, metadata }), ajv.errorsText(validate.errors)).toBe(true);
      expect(validate({ data: { ...data, pgn: 1 }, metadata })).toBe(false);
      expect(validate({ data })).toBe(false);
      const isOpen = schema.properties!.data!["x-origin"] === "assumed";
      expect(validate({ data: { ...data, unheardOf: 1 }, metadata })).toBe(isOpen);
    },
  );
});
