import { expect, test } from "vitest";
import { type Json, type JsonObject, print } from "../../../src/core/project/json.ts";
import { identityOf } from "../../../src/services/api/app.ts";
import { openApiDocument, openApiText } from "../../../src/services/api/openapi.ts";
import { readableJson } from "../../support/readable-json.ts";
import { endpoints } from "./endpoints.ts";
import { newApp } from "./harness.ts";

// `vitest -u` rewrites the files; a change of them is a change of what clients see.

test("the OpenAPI document is the one on record", async () => {
  const document = readableJson(JSON.parse(openApiText("0.0.0")));
  await expect(document).toMatchFileSnapshot("../../snapshots/openapi.json");
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
