/**
 * The public surface as files, so that a change is a diff: schemas, PGN reference, AsyncAPI. `vitest -u` rewrites them.
 */
import Ajv2020 from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { pgnReference } from "../../../src/core/n2k/describe.ts";
import { definitions } from "../../../src/core/n2k/pgns/index.ts";
import { asyncApiDocument } from "../../../src/core/topics/async-api.ts";
import { topicSchemas } from "../../../src/core/topics/schemas.ts";
import { unitsTable } from "../../../src/core/topics/units.ts";
import { fixtures } from "./fixtures.ts";

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const snapshots = "../../snapshots";

test.each(topicSchemas)("schema of $id", async ({ id, schema }) => {
  await expect(json(schema)).toMatchFileSnapshot(`${snapshots}/schemas/${id}.schema.json`);
});

test("reference of the PGNs", async () => {
  await expect(pgnReference()).toMatchFileSnapshot(`${snapshots}/pgns.md`);
});

test("AsyncAPI document", async () => {
  await expect(json(asyncApiDocument(topicSchemas, "1", "schemas/"))).toMatchFileSnapshot(`${snapshots}/asyncapi.json`);
});

test("table of units", async () => {
  await expect(json(unitsTable(topicSchemas))).toMatchFileSnapshot(`${snapshots}/units.json`);
});

test("references of the AsyncAPI document resolve: within it, and to the schema file of each topic", () => {
  const document = asyncApiDocument(topicSchemas, "1", "schemas/");
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference!);
  for (const reference of references.filter((each) => each.startsWith("#/"))) {
    const path = reference.slice(2).split("/");
    const target = path.reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
    expect(target, reference).toBeDefined();
  }
  const files = references.filter((each) => !each.startsWith("#/"));
  expect(files).toEqual(topicSchemas.map(({ id }) => `schemas/${id}.schema.json`));
});

describe("schemas", () => {
  // The validator of a consumer: strict mode is the default, and no keyword or format is registered.
  const ajv = new Ajv2020.default();
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
      const isOpen = definitions.find((each) => each.pgn === pgn)!.origin === "assumed";
      expect(validate({ data: { ...data, unheardOf: 1 }, metadata })).toBe(isOpen);
    },
  );
});
