/** The files of schemas, beside `snapshots.test.ts` of the PGNs, which writes them at its end. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { topicSchemas } from "../../../src/core/topics/schemas.ts";

test("every schema in the folder is that of a topic, and the other way round", () => {
  const names = topicSchemas.map(({ id }) => `${id}.schema.json`);
  const files = readdirSync("test/snapshots/schemas");
  expect(files.sort(), "`npm run snapshot` writes new files; delete those of topics that are gone").toEqual(
    names.sort(),
  );
});
