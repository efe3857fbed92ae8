/** A definition read as JSON text: `(bytes, at, end, source) => '{"pgn":127250,…}'`, in ASCII. */
import { quote } from "./ascii-json.ts";
import { compile, type Read, type Sink } from "./compile.ts";
import type { Definition } from "./field.ts";

const literal = JSON.stringify;

/** Entries and lists begin with a comma too many while they grow; it tells "nothing yet" from "something". */
const jsonSink: Sink = {
  empty: "''",
  begin: (pgn) => literal(`{"pgn":${pgn}`),
  result: (target) => `${target} + '}'`,
  number: (target, key, scaled, decimals) =>
    `${target} += ${literal(`,"${key}":`)} + ${decimals === 0 ? `(${scaled})` : `fixed[${decimals}](${scaled})`};`,
  boolean: (target, key, condition) =>
    `${target} += ${condition} ? ${literal(`,"${key}":true`)} : ${literal(`,"${key}":false`)};`,
  text: (target, key, text) => `${target} += ${literal(`,"${key}":`)} + quote(${text});`,
  choice: (target, key, values, code, constant) => {
    const pieces = values.map((value) =>
      value === undefined ? "" : `,"${key}":${typeof value === "string" ? quote(value) : value}`,
    );
    return `${target} += ${constant(pieces)}[${code}];`;
  },
  entry: (list, entry, number) =>
    number === undefined
      ? `if (${entry} !== '') ${list} += ',{' + ${entry}.slice(1) + '}';`
      : `if (${entry} !== '') ${list} += ${literal(`,{"${number.key}":`)} + ${number.value} + ${entry} + '}';`,
  emptyList: "''",
  list: (target, key, list) => `if (${list} !== '') ${target} += ${literal(`,"${key}":[`)} + ${list}.slice(1) + ']';`,
};

/** Made once per definition; the text has the members of the decoded message in the same order. */
export const jsonWriterOf = (definition: Definition): Read<string> => compile(definition, jsonSink);
