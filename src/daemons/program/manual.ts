/**
 * Manual pages in man(7): the options come from the table of `--help`, the rest is a few sentences. Texts are plain;
 * this module escapes the characters that roff interprets and wraps lines.
 */
import type { OptionTable } from "./options.ts";

/** A paragraph, or a term and its explanation. */
export type ManualItem = string | readonly [term: string, meaning: string];

export interface Manual {
  readonly name: string;
  readonly table: OptionTable;
  /** The line of whatis(1). */
  readonly summary: string;
  readonly description: readonly ManualItem[];
  /** Command lines, and what each does. */
  readonly examples: readonly (readonly [command: string, meaning: string])[];
  /** The sections after the options, by title. */
  readonly sections: Readonly<Record<string, readonly ManualItem[]>>;
}

/** Longest line of text; mandoc(1) warns above 80. */
const MAX_LINE = 78;

/** The page in section 8, with its last line end. `date` is that of the version, YYYY-MM-DD. */
export function manualPage(
  { name, table, summary, description, examples, sections }: Manual,
  { version, date }: { readonly version: string; readonly date: string },
): string {
  return [
    `.TH ${name.toUpperCase()} 8 ${date} "hub ${version}" "System administration"`,
    ".SH NAME",
    `${escaped(name)} \\- ${escaped(summary)}`,
    ".SH SYNOPSIS",
    `.B ${escaped(name)}`,
    ...synopsis(table),
    ...section("DESCRIPTION", description),
    ".SH OPTIONS",
    ...optionItems(table),
    ...section("EXAMPLES", examples),
    ...Object.entries(sections).flatMap(([title, items]) => section(title, items)),
    "",
  ].join("\n");
}

/** The usage after the program's name: options in bold, and the names of values in italics. */
function synopsis({ usage }: OptionTable): string[] {
  const [, , ...words] = usage.split(" ");
  const markup = (word: string): string =>
    escaped(word)
      .replace(/^\\-.*/, "\\fB$&\\fR")
      .replace(/[A-Z]{2,}/, "\\fI$&\\fR");
  return words.length === 0 ? [] : [words.map(markup).join(" ")];
}

const section = (title: string, items: readonly ManualItem[]): string[] => [
  `.SH ${title}`,
  ...items.map((item, index) => {
    if (typeof item !== "string") return `.TP\n.B ${escaped(item[0])}\n${wrapped(item[1])}`;
    // A heading begins a paragraph itself.
    return index === 0 ? wrapped(item) : `.PP\n${wrapped(item)}`;
  }),
];

/** Options without a help text are joined to the next one that has one, as in the help. */
function optionItems({ options }: OptionTable): string[] {
  const items: string[] = [];
  let names: string[] = [];
  for (const { short, long, value, optionalValue, help } of options) {
    const flags = [...(short === undefined ? [] : [`-${short}`]), `--${long}`].map(
      (flag) => `\\fB${escaped(flag)}\\fR`,
    );
    const optional = optionalValue === undefined ? "" : `[=\\fI${escaped(optionalValue)}\\fR]`;
    names.push(flags.join(", ") + (value === undefined ? optional : ` \\fI${escaped(value)}\\fR`));
    if (help === undefined) continue;
    items.push(`.TP\n${names.join(", ")}\n${wrapped(help)}`);
    names = [];
  }
  return items;
}

/** Lines of at most 78 characters, escaped. */
function wrapped(text: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").map(escapedWord)) {
    if (line !== "" && line.length + 1 + word.length > MAX_LINE) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  return [...lines, line].map(escapedLine).join("\n");
}

/** Escapes hyphens, so that they can be copied, and backslashes. */
const escapedWord = (text: string): string =>
  text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("…", "...");

/** A line of text must not begin like a request of roff. */
const escapedLine = (line: string): string => line.replace(/^(?=[.'])/, "\\&");

const escaped = (text: string): string => escapedLine(escapedWord(text));
