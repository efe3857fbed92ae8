import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openApiText } from "../../src/services/api/openapi.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

function isInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve("swagger-ui-dist/package.json");
    return true;
  } catch {
    return false;
  }
}

/** Skipped where Swagger UI is not installed; where everything has to run (CI=true) it fails instead. */
const options = { skip: !isInstalled() && process.env.CI !== "true" };

test(
  "the console's folder has all files that its pages request, and they send no request to other hosts",
  options,
  async () => {
    const folder = temporaryFolder("console-test");
    const { buildConsole } = (await import("../../scripts/console.mjs")) as {
      buildConsole(target: string): Promise<unknown>;
    };
    await buildConsole(folder);
    const files = readdirSync(folder, { recursive: true });
    for (const page of ["index.html", "console.js", "console.css"]) {
      const text = readFileSync(join(folder, page), "utf8");
      expect(text).not.toMatch(/https?:\/\//);
      for (const [, asked] of text.matchAll(/(?:href|src|from|url:)[ =]"(?:\.\/)?([^"]+)"/g))
        expect(files).toContain(asked);
    }
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    expect(readFileSync(join(folder, "openapi.json"), "utf8")).toBe(openApiText(version));
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "NOTICE", "openapi.json"]));
  },
);
