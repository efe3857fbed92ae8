/** The description of the topics for programs and their authors, as the packages ship it. */
import { pgnReference } from "../../core/n2k/describe.ts";
import { asyncApiDocument } from "../../core/topics/async-api.ts";
import { topicSchemas } from "../../core/topics/schemas.ts";
import { unitsTable } from "../../core/topics/units.ts";

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** Every file by its path: the schema of each topic, the reference of the PGNs, the AsyncAPI document, the units. */
export const contractFiles = (): ReadonlyMap<string, string> =>
  new Map([
    ...topicSchemas.map(({ id, schema }): [string, string] => [
      `schemas/${id}.schema.json`,
      `${JSON.stringify(schema)}\n`,
    ]),
    ["pgns.md", pgnReference()],
    ["asyncapi.json", json(asyncApiDocument(topicSchemas, "1", "schemas/"))],
    ["units.json", json(unitsTable(topicSchemas))],
  ]);
