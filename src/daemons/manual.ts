/**
 * Manual pages as man(7) writes them: the options come from the same table as `--help`, the rest is a few sentences.
 *
 * Text is plain; what roff would read as its own is escaped here.
 */
import type { OptionTable } from "./options.ts";

/** A paragraph, or a term and what it stands for. */
export type ManualItem = string | readonly [term: string, meaning: string];

export interface Manual {
  readonly name: string;
  /** Of a program that has any. */
  readonly table?: OptionTable;
  /** Half a sentence for whatis(1). */
  readonly summary: string;
  readonly description: readonly ManualItem[];
  /** What follows the options, by its title. */
  readonly sections: Readonly<Record<string, readonly ManualItem[]>>;
}

/** The page in section 8, with its last line end. */
export function manualPage({ name, table, summary, description, sections }: Manual, version: string): string {
  const synopsis = table === undefined ? [] : ["[\\fIOPTION\\fR]..."];
  return [
    `.TH ${name.toUpperCase()} 8 "" "hub ${version}" "System administration"`,
    ".SH NAME",
    `${escaped(name)} \\- ${escaped(summary)}`,
    ".SH SYNOPSIS",
    [`.B ${escaped(name)}`, ...synopsis].join("\n"),
    ".SH DESCRIPTION",
    ...description.map(itemText),
    ...(table === undefined ? [] : [".SH OPTIONS", ...optionItems(table)]),
    ...Object.entries(sections).flatMap(([title, items]) => [`.SH ${title}`, ...items.map(itemText)]),
    "",
  ].join("\n");
}

const itemText = (item: ManualItem): string =>
  typeof item === "string" ? `.PP\n${escaped(item)}` : `.TP\n.B ${escaped(item[0])}\n${escaped(item[1])}`;

/** Options without help of their own stand before the next that has it, as in the help text. */
function optionItems({ options }: OptionTable): string[] {
  const items: string[] = [];
  let names: string[] = [];
  for (const { short, long, value, help } of options) {
    const flags = [...(short === undefined ? [] : [`-${short}`]), `--${long}`].map(
      (flag) => `\\fB${escaped(flag)}\\fR`,
    );
    names.push(flags.join(", ") + (value === undefined ? "" : ` \\fI${escaped(value)}\\fR`));
    if (help === undefined) continue;
    items.push(`.TP\n${names.join(", ")}\n${escaped(help)}`);
    names = [];
  }
  return items;
}

/** A hyphen that may be typed, a backslash as such, and no line that begins with a command of roff. */
const escaped = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "...")
    .replace(/^(?=[.'])/gm, "\\&");
