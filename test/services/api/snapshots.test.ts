import { expect, test } from "vitest";
import { type Json, type JsonObject, print } from "../../../src/core/project/json.ts";
import { identityOf } from "../../../src/services/api/app.ts";
import { openApiDocument, openApiText } from "../../../src/services/api/openapi.ts";
import { readableJson } from "../../support/readable-json.ts";
import { referred, type Schema, schemaText } from "../../support/schema-text.ts";
import { endpoints } from "./endpoints.ts";
import { newApp } from "./harness.ts";

// `vitest -u` rewrites the files; a change of them is a change of what clients see.

type Part = Readonly<Record<string, Schema>>;

/** Bodies by their types, and the description of a response. */
const bodyText = ({ content = {}, description, ...rest }: Schema): string =>
  [
    ...(description === undefined ? [] : [String(description)]),
    ...Object.entries(content as Part).map(([type, { schema, ...others }]) =>
      [type, schemaText(schema as Schema, "    ", type.length + 6), ...inJson(others)].join(" "),
    ),
    ...inJson(rest),
  ].join(", ");

/** Members that have no words of their own. */
const inJson = (rest: Schema): readonly string[] => (Object.keys(rest).length === 0 ? [] : [JSON.stringify(rest)]);

function operationText(method: string, path: string, operation: Schema): string {
  const { tags, summary, operationId, security, responses, requestBody, ...more } = operation;
  const { parameters, ...rest } = more as Schema & { readonly parameters?: readonly Schema[] };
  const references = Object.entries(responses as Part).filter(([, { $ref }]) => $ref !== undefined);
  const texts = Object.entries(responses as Part).flatMap(([status, response]) =>
    response.$ref === undefined ? [`  ${status} ${bodyText(response)}`] : [],
  );
  const others = references.map(([status, { $ref }]) => `${status} ${referred($ref)}`);
  return [
    `${method.toUpperCase()} ${path}: ${summary}`,
    [
      ...["", [tags].flat().join(" "), operationId, JSON.stringify(security), ...inJson(rest)],
      ...(parameters === undefined ? [] : [`of ${parameters.map(({ $ref }) => referred($ref)).join(" ")}`]),
    ].join("  "),
    ...(requestBody === undefined ? [] : [`  takes ${bodyText(requestBody as Schema)}`]),
    ...texts.slice(0, -1),
    [texts.at(-1), ...others].join(", "),
  ].join("\n");
}

test("the OpenAPI document is the one on record", async () => {
  const { paths, components, ...head } = JSON.parse(openApiText("0.0.0"));
  const { schemas, parameters, responses, ...others } = components as Readonly<Record<string, Part>>;
  const texts = [
    readableJson({ ...head, components: others }).trimEnd(),
    ...Object.entries(schemas!).map(([name, schema]) => `${name}: ${schemaText(schema)}`),
    ...Object.entries(parameters!).map(
      ([name, { schema, ...rest }]) => `{${name}}: ${schemaText(schema as Schema)} ${JSON.stringify(rest)}`,
    ),
    ...Object.entries(responses!).map(([name, response]) => `${name}: ${bodyText(response)}`),
    ...Object.entries(paths as Readonly<Record<string, Part>>).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => operationText(method, path, operation)),
    ),
  ];
  await expect(`${texts.join("\n")}\n`).toMatchFileSnapshot("../../snapshots/openapi.txt");
});

test("the features are the ones on record", async () => {
  await expect(print(identityOf(newApp().services).features)).toMatchFileSnapshot("../../snapshots/features.json");
});

test("the OpenAPI document has every endpoint, with each name of its path and a unique id", () => {
  const { paths } = openApiDocument("0.0.0") as unknown as { paths: Record<string, Record<string, JsonObject>> };
  const ids = new Set<Json>();
  for (const { method, path, success, hasBody } of endpoints) {
    const operation = paths[path]![method.toLowerCase()]!;
    ids.add(operation.operationId!);
    expect(Object.keys(operation.responses as JsonObject)).toContain(String(success));
    expect(operation.requestBody !== undefined).toBe(hasBody);
    const names = ((operation.parameters ?? []) as JsonObject[]).map(
      ({ $ref }) => `{${String($ref).split("/").at(-1)}}`,
    );
    expect(names).toEqual(path.match(/\{\w+\}/g) ?? []);
  }
  expect(ids.size).toBe(endpoints.length);
});
