/**
 * JSON Schemas as text to read, with all that they say and the units of their numbers: a line for each member that does
 * not fit beside others.
 */
import { MARKS } from "../../src/core/report/json-schema.ts";

const WIDTH = 120;

export type Schema = {
  readonly [keyword: string]: unknown;
  readonly [MARKS]?: { readonly unit?: string | undefined } | undefined;
};

/** Keywords as they stand: `minimum=0`. */
const keywords = (rest: Schema): string =>
  Object.entries(rest)
    .map(([keyword, value]) => ` ${keyword}=${JSON.stringify(value)}`)
    .join("");

/** What a reference leads to, without the folder: `#/components/schemas/Error` is `Error`. */
export const referred = (reference: unknown): string => String(reference).split("/").at(-1)!;

/** Members of an object; `?` stands behind those that may be absent, `...` for others. */
function members(schema: Schema): readonly (readonly [string, Schema])[] {
  const required = new Set((schema.required ?? []) as readonly string[]);
  const listed = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>).map(
    ([name, member]) => [`${name}${required.delete(name) ? "" : "?"}: `, member] as const,
  );
  const { additionalProperties: others } = schema;
  return [
    ...listed,
    ...[...required].map((name) => [`${name}: `, {}] as const),
    ...(others === false ? [] : [["...: ", (others ?? {}) as Schema] as const]),
  ];
}

/** Between brackets: in a line, or a line each. */
function block(open: string, parts: readonly string[], close: string, indent: string | undefined): string {
  if (parts.length === 0) return open + close;
  return indent === undefined
    ? `${open} ${parts.join(", ")} ${close}`
    : `${open}\n${parts.map((part) => `${indent}  ${part}\n`).join("")}${indent}${close}`;
}

/** Without an indent in one line. */
function written(schema: Schema, indent: string | undefined): string {
  const { type, description, properties, required, additionalProperties, items, anyOf, $ref, ...rest } = schema;
  const { enum: values, const: constant, ...limits } = rest;
  const inner = (before: string, part: Schema, at = `${indent}  `): string => {
    const text = indent === undefined ? written(part, undefined) : schemaText(part, at, before.length);
    return (before + text).replace(/: $/, "");
  };
  const isObject = properties !== undefined || (type === "object" && limits.propertyNames === undefined);
  const kinds = [
    $ref === undefined ? [] : [referred($ref)],
    isObject
      ? [
          block(
            "{",
            members(schema).map(([name, part]) => inner(name, part)),
            "}",
            indent,
          ),
        ]
      : [],
    isObject && type === "object" ? [] : type === undefined ? [] : [[type].flat().join(" or ")],
    isObject || additionalProperties === undefined ? [] : [inner("of ", additionalProperties as Schema, indent)],
    schema[MARKS]?.unit === undefined ? [] : [`in ${schema[MARKS].unit}`],
    items === undefined ? [] : [inner("of ", items as Schema, indent)],
    values === undefined ? [] : [(values as readonly unknown[]).map((value) => JSON.stringify(value)).join(" | ")],
    constant === undefined ? [] : [JSON.stringify(constant)],
    anyOf === undefined
      ? []
      : [
          block(
            "any (",
            (anyOf as readonly Schema[]).map((part) => inner("", part)),
            ")",
            indent,
          ),
        ],
  ].flat();
  const said = description === undefined ? "" : ` ${JSON.stringify(description)}`;
  return `${kinds.join(" ")}${keywords(limits)}${said}`.trim();
}

/** `column`: characters before it in its line, without the indent. */
export function schemaText(schema: Schema, indent = "", column = 0): string {
  const flat = written(schema, undefined);
  return indent.length + column + flat.length <= WIDTH ? flat : written(schema, indent);
}

/** Blocks of three lines and more that stood in the text before, by the name that they had there: `{ as metadata }`. */
export function withoutRepetitions(text: string): string {
  const seen = new Map<string, string>();
  const written: string[] = [];
  const opened: number[] = [];
  for (const line of text.split("\n")) {
    written.push(line);
    if (/[{(]$/.test(line)) opened.push(written.length - 1);
    if (!/^ *[})]/.test(line) || opened.length === 0) continue;
    const at = opened.pop()!;
    const first = written[at]!;
    const indent = /^ */.exec(first)![0];
    const content = written.slice(at + 1, -1).map((each) => each.slice(indent.length));
    const [block, known] = [content.join("\n"), seen.get(content.join("\n"))];
    if (content.length < 3) continue;
    const [name] = /^[\w-]+(?=\??:)/.exec(first.trim()) ?? [];
    if (known === undefined && name !== undefined) seen.set(block, name);
    if (known !== undefined) written.splice(at, written.length, `${first} as ${known} ${line.trim()}`);
  }
  return written.join("\n");
}
