/**
 * The public surface as files, so that a change is a diff: schemas, PGN reference, AsyncAPI. `vitest -u` rewrites them.
 * The reference has all that is said of PGNs; their schemas, channels and units follow from it, and have hashes.
 */
import { createHash } from "node:crypto";
import Ajv2020 from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { definitions } from "../../../src/core/n2k/pgns/index.ts";
import { asyncApiDocument } from "../../../src/core/topics/async-api.ts";
import { topicSchemas } from "../../../src/core/topics/schemas.ts";
import { unitsTable } from "../../../src/core/topics/units.ts";
import { contractFiles } from "../../../src/web/docs/contract.ts";
import { readableJson } from "../../support/readable-json.ts";
import { type Schema, schemaText, withoutRepetitions } from "../../support/schema-text.ts";
import { withoutForm, withoutRepeatedRows } from "../../support/without-form.ts";
import { fixtures } from "./fixtures.ts";

const snapshots = "../../snapshots";
const files = contractFiles();

/** The schemas of single PGNs follow from the reference; those of slow lanes repeat those of their reports. */
const isRead = ({ id }: { readonly id: string }): boolean => !/^pgn-|^every-(ais|navigation)$/.test(id);
const read = topicSchemas.filter(isRead);
/** A PGN stands for all of them. */
const kinds = topicSchemas.filter((topic) => isRead(topic) || topic.id === "pgn-127250" || /^every-/.test(topic.id));

test("schemas of the topics", async () => {
  const texts = read.map(({ id, schema: { $schema, $id, ...schema } }) => `${id}: ${schemaText(schema)}\n`);
  await expect(withoutRepetitions(texts.join("\n"))).toMatchFileSnapshot(`${snapshots}/topics.txt`);
});

test("reference of the PGNs", async () => {
  await expect(withoutRepeatedRows(withoutForm(files.get("pgns.md")!))).toMatchFileSnapshot(`${snapshots}/pgns.txt`);
});

interface AsyncApi {
  readonly channels: Readonly<Record<string, Schema>>;
  readonly operations: Readonly<Record<string, Schema>>;
  readonly components: Readonly<Record<"parameters" | "messages", Readonly<Record<string, Schema>>>>;
}

test("AsyncAPI document, a channel of each kind", async () => {
  const document = asyncApiDocument(kinds, "1", "schemas/") as unknown as AsyncApi;
  const { channels, operations, components, ...head } = document;
  const texts = Object.entries(channels).map(([id, { address, title, messages, parameters, ...channel }]) => {
    const { action, channel: of, messages: sent, bindings, ...operation } = operations[id]!;
    const { name, title: messageTitle, payload, ...message } = components.messages[id]!;
    expect([of, sent, messages, messageTitle]).toEqual([
      { $ref: `#/channels/${id}` },
      [{ $ref: `#/channels/${id}/messages/${id}` }],
      { [id]: { $ref: `#/components/messages/${id}` } },
      title,
    ]);
    const payloadOf = (payload as { readonly $ref: string }).$ref;
    return [
      `${action} ${address}: ${title}\n  ${name} of ${payloadOf}, ${Object.keys(parameters as Schema).join(" ")}`,
      JSON.stringify({ ...(bindings as Schema), ...channel, ...operation, ...message }),
    ].join(" ");
  });
  expect(Object.keys(operations)).toEqual(Object.keys(channels));
  const text = `${readableJson({ ...head, parameters: components.parameters })}${texts.join("\n")}\n`;
  await expect(text).toMatchFileSnapshot(`${snapshots}/asyncapi.txt`);
});

interface Units {
  readonly members: Readonly<Record<string, { readonly unit: string; readonly ucum?: string }>>;
}

test("codes of UCUM, by the units that the reference of the PGNs and the schemas of the topics have", async () => {
  const table = Object.values(unitsTable(topicSchemas)) as readonly Units[];
  const lines = table.flatMap(({ members }) => Object.values(members).map(({ unit, ucum }) => `${unit} = ${ucum}\n`));
  await expect([...new Set(lines)].sort().join("")).toMatchFileSnapshot(`${snapshots}/units.txt`);
});

test("all files as they are shipped, by their hashes; those of the PGNs follow from the reference and have one", async () => {
  const texts = new Map<string, string>();
  for (const [name, text] of files) {
    const group = name.replace(/pgn-\d+/, "pgn-*");
    texts.set(group, (texts.get(group) ?? "") + text);
  }
  const hashes = [...texts].map(([name, text]) => {
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
    return `${hash} ${name}\n`;
  });
  await expect(hashes.join("")).toMatchFileSnapshot(`${snapshots}/shipped.txt`);
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

  test.each(topicSchemas)("$id is a schema of draft 2020-12", ({ id, schema }) => {
    expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    expect(schema.$id).toBe(`${id}.schema.json`);
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
