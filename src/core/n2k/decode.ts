/** A definition read as an object: `(bytes, at, end, source) => message`. Values that are not available are absent. */
import { memoize } from "../util/memoize.ts";
import { type Constant, compile, type Sink } from "./compile.ts";
import type { Definition, Message } from "./definition.ts";

export type Read<Result> = (bytes: Uint8Array, at: number, end: number, source: number) => Result;

const objectSink = (constant: Constant): Sink => ({
  parameters: "b, at, end, source",
  tools: {},
  message: (pgn, body) => `const out = { pgn: ${pgn} };\n${body}return out;`,
  // Adding zero makes -0 a zero.
  number: (target, key, scaled, decimals) =>
    `${target}.${key} = ${decimals === 0 ? `(${scaled}) + 0` : `((${scaled}) + 0) / ${10 ** decimals}`};`,
  boolean: (target, key, condition) => `${target}.${key} = ${condition};`,
  text: (target, key, text) => `${target}.${key} = ${text};`,
  choice: (target, key, values, code) =>
    `{ const value = ${constant(values)}[${code}]; if (value !== undefined) ${target}.${key} = value; }`,
  maybeText: (target, key, text) => `{ const value = ${text}; if (value !== undefined) ${target}.${key} = value; }`,
  texts: (target, key, list) => `{ const value = ${list}; if (value !== undefined) ${target}.${key} = value; }`,
  beginList: (list) => `const ${list} = [];`,
  endList: (target, key, list) => `if (${list}.length > 0) ${target}.${key} = ${list};`,
  beginEntry: (entry) => `const ${entry} = {};\n`,
  endEntry: (list, entry, number) =>
    `for (const _ in ${entry}) { ${list}.push(${
      number === undefined ? entry : `{ ${number.key}: ${number.value}, ...${entry} }`
    }); break; }`,
});

/**
 * Compiles a decoder.
 *
 * @example
 * const read = decoderOf(vesselHeading);
 * read(payload, 0, payload.length, 3).headingDeg // 183.346, or undefined when not available
 */
export const decoderOf = <One extends Definition>(definition: One): Read<Message<One>> =>
  compile(definition, objectSink);

/**
 * For the reports. As `decoderOf`, but numbers are not rounded, so that a report rounds them once; and every message
 * has all members, undefined without a value, because code that reads thousands of messages is several times faster on
 * objects of one shape.
 *
 * @example exactDecoderOf(attitude)(payload, 0, 0, 3) // { pgn: 127257, sequenceId: undefined, yawDeg: undefined, … }
 */
export function exactDecoderOf<One extends Definition>(definition: One): Read<Message<One>> {
  return compile(definition, (constant) => {
    const sink = objectSink(constant);
    const keys = new Set<string>();
    const noting =
      <More extends readonly unknown[]>(write: (target: string, key: string, ...more: More) => string) =>
      (target: string, key: string, ...more: More): string => {
        if (target === "out") keys.add(key);
        return write(target, key, ...more);
      };
    return {
      ...sink,
      exact: true,
      number: noting(sink.number),
      boolean: noting(sink.boolean),
      text: noting(sink.text),
      choice: noting(sink.choice),
      maybeText: noting(sink.maybeText),
      texts: noting(sink.texts),
      endList: noting(sink.endList),
      message: (pgn, body) =>
        `const out = { pgn: ${pgn}${[...keys].map((key) => `, ${key}: undefined`).join("")} };\n${body}return out;`,
    };
  });
}

const readerOf = memoize((definition: Definition) => exactDecoderOf(definition) as Read<unknown>);

/**
 * `exactDecoderOf` for several definitions, by PGN; each decoder is compiled once. `Result` has to fit all their
 * messages.
 */
export const exactDecodersOf = <Result>(definitions: readonly Definition[]): ReadonlyMap<number, Read<Result>> =>
  new Map(definitions.map((definition) => [definition.pgn, readerOf(definition) as Read<Result>]));
