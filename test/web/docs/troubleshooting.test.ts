import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const page = readFileSync("docs/troubleshooting.md", "utf8");

test("each broken link of the display is in the table of what to do", () => {
  const source = readFileSync("src/web/display/data/link.ts", "utf8");
  const [, table] = /brokenLinks[^{]*\{([^}]*)\}/.exec(source)!;
  const sentences = [...table!.matchAll(/: "([^"]+)"/g)].map(([, sentence]) => sentence!);
  expect(sentences.length).toBeGreaterThan(5);
  for (const sentence of sentences) expect(page).toContain(`| ${sentence} |`);
});

test("each code of the log is one of the page Errors", () => {
  const errors = readFileSync("docs/errors.md", "utf8");
  const codes = [...page.matchAll(/`([A-Z]+_[A-Z_]+)`/g)].map(([, code]) => code!);
  expect(codes.length).toBeGreaterThan(3);
  for (const code of codes) expect(errors).toContain(`| \`${code}\` |`);
});
