/**
 * docs/words.md: one meaning for each word, and one word for each meaning, in the documentation, the help and the
 * manuals.
 */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { manualPage } from "../../../src/daemons/program/manual.ts";
import { manuals } from "../../../src/daemons/program/manual-texts.ts";

const PAGE = "docs/words.md";

interface Row {
  readonly word: string;
  /** Words of the same meaning that no text uses. */
  readonly others: readonly string[];
}

/** The rows of all tables of a document whose head begins with `word`. */
function rowsOf(document: string): readonly Row[] {
  const tables = readFileSync(document, "utf8").matchAll(/^\| word \|.*\n\|[ -|]*\n((?:\|.*\n)+)/gm);
  return [...tables].flatMap(([, rows]) =>
    rows!
      .trim()
      .split("\n")
      .map((row) => row.split("|").map((cell) => cell.trim()))
      .map(([, word, , others = ""]) => ({ word: word!, others: others.split(", ").filter((each) => each !== "") })),
  );
}

const documents = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  ...readdirSync("docs").map((name) => `docs/${name}`),
];
const release = { version: "1.2.3", date: "2026-11-21" };

/** Names and messages of others, which have these words in them. */
const quoted = /Yacht Devices|Digital Yacht|no such file or directory/g;

/** The prose of a text: without code, addresses of links, and words of others. */
const proseOf = (text: string): string =>
  text
    .replace(/^ *```.*?^ *```$/gms, "")
    .replace(/`[^`]*`/g, "")
    .replace(/\]\([^)]*\)/g, "]")
    .replaceAll("\\-", "-")
    .replace(/\s+/g, " ")
    .replace(quoted, "");

const prose = new Map(
  [
    ...documents.filter((name) => name.endsWith(".md")).map((name) => [name, readFileSync(name, "utf8")] as const),
    ...manuals.map((manual) => [`the manual of ${manual.name}`, manualPage(manual, release)] as const),
  ].map(([name, text]) => [name, proseOf(text)] as const),
);

const rows = rowsOf(PAGE);

test("each word is defined once, in docs/words.md for readers or in ARCHITECTURE.md for developers", () => {
  const words = [...rows, ...rowsOf("ARCHITECTURE.md")].flatMap(({ word }) => word.split(", "));
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
  expect(words.length).toBeGreaterThan(60);
});

test.each(rows)("$word is used in the documentation", ({ word }) => {
  const isUsed = [...prose].some(([name, text]) => name !== PAGE && new RegExp(`\\b${word}`, "i").test(text));
  expect(isUsed).toBe(true);
});

const replaced = rows.filter(({ others }) => others.length > 0);

test.each(replaced)("$word stands in place of $others", ({ word, others }) => {
  const pattern = new RegExp(`.{0,30}\\b(?:${others.join("|")})(?:s|es)?\\b.{0,30}`, "gi");
  const found = [...prose]
    .filter(([name]) => name !== PAGE)
    .flatMap(([name, text]) => [...text.matchAll(pattern)].map(([place]) => `${name}: … ${place} …`));
  expect(found, `write "${word}", or mend the row in ${PAGE}`).toEqual([]);
});
