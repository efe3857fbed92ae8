/**
 * A definition read as JSON text: writes `{"pgn":127250,…}` in ASCII, straight from the payload. About three times as
 * fast as `JSON.stringify` of the decoded message, which is a third of a replay.
 */
import {
  type AsciiBuffer,
  ENCODED_SLACK,
  type EncodedText,
  encodeText,
  LONGEST_NUMBER,
  writeEncoded,
} from "../text/ascii-buffer.ts";
import { quote } from "../text/ascii-json.ts";
import { writeFixed } from "../text/numbers.ts";
import { type Constant, compile, type Sink } from "./compile.ts";
import type { Definition } from "./definition.ts";

/** Appends a list of strings. */
function writeTexts(out: AsciiBuffer, list: readonly string[]): void {
  list.forEach((text, index) => {
    out.ascii(index === 0 ? "[" : ",");
    out.quoted(text);
  });
  out.ascii(list.length === 0 ? "[]" : "]");
}

/** Appends the message of the payload in `bytes` from `at` to `end` to `out`. */
export type Write = (out: AsciiBuffer, bytes: Uint8Array, at: number, end: number, source: number) => void;

/**
 * In the source, `o` is the buffer, `v` its view, `p` the position of the next character. Room is reserved once for all
 * parts of fixed length, and again after each text and before each entry of a list. Members and entries begin with a
 * comma; the opening bracket replaces the first one.
 */
class TextSink implements Sink {
  readonly parameters = "o, b, at, end, source";
  readonly tools = {
    write: writeEncoded,
    writeTexts,
    ...Object.fromEntries(writeFixed.map((write, index) => [`fixed${index}`, write])),
  };
  /** Bytes that the generated statements write at most. */
  #room = ENCODED_SLACK;
  readonly #constant: Constant;

  constructor(constant: Constant) {
    this.#constant = constant;
  }

  message(pgn: number, body: string): string {
    const begin = this.#write(`{"pgn":${pgn}`);
    const finish = this.#write("}");
    return `const room = ${this.#room};\no.reserve(room);\nlet v = o.view, p = o.at;\n${begin}\n${body}${finish}\no.at = p;`;
  }

  number(_target: string, key: string, scaled: string, decimals: number): string {
    return `{${this.#member(key)} ${this.#number(scaled, decimals)} }`;
  }

  boolean(_target: string, key: string, condition: string): string {
    return `if (${condition}) {${this.#write(`,"${key}":true`)}} else {${this.#write(`,"${key}":false`)}}`;
  }

  text(_target: string, key: string, text: string): string {
    return `{${this.#member(key)} o.at = p; o.quoted(${text}); o.reserve(room); v = o.view; p = o.at; }`;
  }

  maybeText(target: string, key: string, text: string): string {
    return `{ const text = ${text}; if (text !== undefined) ${this.text(target, key, "text")} }`;
  }

  texts(_target: string, key: string, list: string): string {
    return `{ const list = ${list}; if (list !== undefined) {${this.#member(key)} o.at = p; writeTexts(o, list); o.reserve(room); v = o.view; p = o.at; } }`;
  }

  choice(_target: string, key: string, values: readonly (string | number | undefined)[], code: string): string {
    // Most of 256 codes are often unassigned, and share one text.
    const encoded = new Map<string | number | undefined, EncodedText>();
    const texts = values.map((value): EncodedText => {
      const known = encoded.get(value);
      if (known !== undefined) return known;
      const text = value === undefined ? "" : `,"${key}":${typeof value === "string" ? quote(value) : value}`;
      const member = encodeText(text);
      encoded.set(value, member);
      return member;
    });
    // biome-ignore lint/plugin: texts of the document
    this.#room += Math.max(...texts.map(({ length }) => length));
    return `p = write(v, p, ${this.#constant(texts)}[${code}]);`;
  }

  beginList(list: string, key: string): string {
    return `const ${list} = p;${this.#member(key)} const ${list}Head = p;`;
  }

  endList(_target: string, _key: string, list: string): string {
    this.#room++;
    return `if (p === ${list}Head) p = ${list}; else { v.setUint8(${list}Head, 0x5b); v.setUint8(p++, 0x5d); }`;
  }

  beginEntry(item: string, number?: { readonly key: string; readonly value: string }): string {
    const begin = `const ${item} = p;\nif (p + room > v.byteLength) { o.at = p; o.reserve(room); v = o.view; }\n`;
    const head =
      number === undefined ? this.#write(",") : this.#write(`,{"${number.key}":`) + this.#number(number.value, 0);
    return `${begin}${head} const ${item}Head = p;\n`;
  }

  endEntry(_list: string, item: string, number?: { readonly key: string; readonly value: string }): string {
    this.#room++;
    const open = number === undefined ? `v.setUint8(${item}Head, 0x7b); ` : "";
    return `if (p === ${item}Head) p = ${item}; else { ${open}v.setUint8(p++, 0x7d); }`;
  }

  #member(key: string): string {
    return this.#write(`,"${key}":`);
  }

  #number(scaled: string, decimals: number): string {
    this.#room += LONGEST_NUMBER;
    return `p = fixed${decimals}(v, p, ${scaled});`;
  }

  /** Statements that write `text`, eight and four bytes at a time; a number literal in the source keeps its bits. */
  #write(text: string): string {
    this.#room += text.length;
    const bytes = new DataView(new ArrayBuffer(text.length + ENCODED_SLACK));
    for (let index = 0; index < text.length; index++) bytes.setUint8(index, text.charCodeAt(index));
    let statements = ` /* ${text} */`;
    let at = 0;
    for (; text.length - at > 4; at += 8)
      statements += ` v.setFloat64(p + ${at}, ${bytes.getFloat64(at, true)}, true);`;
    if (text.length > at) statements += ` v.setInt32(p + ${at}, ${bytes.getInt32(at, true)}, true);`;
    return `${statements} p += ${text.length};`;
  }
}

/**
 * Compiles a writer; its text has the members of the decoded message in the same order.
 *
 * @example
 * const write = jsonWriterOf(vesselHeading);
 * write(out, payload, 0, payload.length, 3); // appends {"pgn":127250,"headingDeg":183.346,"reference":"Magnetic"}
 */
export const jsonWriterOf = (definition: Definition): Write =>
  compile(definition, (constant) => new TextSink(constant));
