import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openApiText } from "../../../src/services/api/openapi.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

interface Problem {
  readonly ruleId: string;
  readonly severity: string;
  readonly message: string;
  readonly location: readonly { readonly pointer: string }[];
}

/** Problems that the recommended rules of Redocly find. */
function lint(text: string): readonly string[] {
  const folder = temporaryFolder("openapi");
  const file = join(folder, "openapi.json");
  writeFileSync(file, text);
  const args = ["node_modules/@redocly/cli/bin/cli.js", "lint", file, "--extends=recommended", "--format=json"];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  expect(stdout, stderr).toContain('"problems"');
  const { problems } = JSON.parse(stdout) as { readonly problems: readonly Problem[] };
  return problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`);
}

test("the OpenAPI document keeps the recommended rules of a linter", () => {
  // A step that is anything is skipped, and a config that is anything is kept: that is the contract.
  const anything = /^no-illogical-composition-keywords .*(transaction|muxing)/;
  expect(lint(openApiText("1.0.0")).filter((problem) => !anything.test(problem))).toEqual([]);
  expect(lint(openApiText("1.0.0").replaceAll('"401"', '"501"')).length).toBeGreaterThan(2);
});
