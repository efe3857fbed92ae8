/** A definition read as JSON text: writes `{"pgn":127250,…}` from the payload where it lies, in ASCII. */
import { type AsciiBuffer, LONGEST_NUMBER, PIECE_SLACK, type Piece, pieceOf, putPiece } from "./ascii-buffer.ts";
import { quote } from "./ascii-json.ts";
import { type Constant, compile, type Sink } from "./compile.ts";
import type { Definition } from "./field.ts";
import { writeFixed } from "./fixed.ts";

/** Writes to the end of `out` what the payload in `bytes` from `at` to `end` says. */
export type Write = (out: AsciiBuffer, bytes: Uint8Array, at: number, end: number, source: number) => void;

/**
 * In the source, `o` is the buffer, `v` its view, `p` the place where the next character goes. Room is made for all that a
 * message can be at once, and again behind each text and in front of each entry of a list, whose lengths only the message
 * knows. Members, entries and lists begin with a comma too many; the bracket takes its place.
 */
class TextSink implements Sink {
  readonly parameters = "o, b, at, end, source";
  readonly tools = {
    put: putPiece,
    ...Object.fromEntries(writeFixed.map((write, index) => [`fixed${index}`, write])),
  };
  /** Bytes of everything that was written into the source, at its longest. */
  #room = PIECE_SLACK;
  readonly #constant: Constant;

  constructor(constant: Constant) {
    this.#constant = constant;
  }

  message(pgn: number, body: string): string {
    const begin = this.#put(`{"pgn":${pgn}`);
    const finish = this.#put("}");
    return `const room = ${this.#room};\no.reserve(room);\nlet v = o.view, p = o.at;\n${begin}\n${body}${finish}\no.at = p;`;
  }

  number(_target: string, key: string, scaled: string, decimals: number): string {
    return `{${this.#member(key)} ${this.#number(scaled, decimals)} }`;
  }

  boolean(_target: string, key: string, condition: string): string {
    return `if (${condition}) {${this.#put(`,"${key}":true`)}} else {${this.#put(`,"${key}":false`)}}`;
  }

  text(_target: string, key: string, text: string): string {
    return `{${this.#member(key)} o.at = p; o.quoted(${text}); o.reserve(room); v = o.view; p = o.at; }`;
  }

  choice(_target: string, key: string, values: readonly (string | number | undefined)[], code: string): string {
    // Most of 256 codes are often the same one that nobody has assigned.
    const made = new Map<string | number | undefined, Piece>();
    const pieces = values.map((value): Piece => {
      const known = made.get(value);
      if (known !== undefined) return known;
      const text = value === undefined ? "" : `,"${key}":${typeof value === "string" ? quote(value) : value}`;
      const piece = pieceOf(text);
      made.set(value, piece);
      return piece;
    });
    this.#room += Math.max(...pieces.map(({ length }) => length));
    return `p = put(v, p, ${this.#constant(pieces)}[${code}]);`;
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
      number === undefined ? this.#put(",") : this.#put(`,{"${number.key}":`) + this.#number(number.value, 0);
    return `${begin}${head} const ${item}Head = p;\n`;
  }

  endEntry(_list: string, item: string, number?: { readonly key: string; readonly value: string }): string {
    this.#room++;
    const open = number === undefined ? `v.setUint8(${item}Head, 0x7b); ` : "";
    return `if (p === ${item}Head) p = ${item}; else { ${open}v.setUint8(p++, 0x7d); }`;
  }

  #member(key: string): string {
    return this.#put(`,"${key}":`);
  }

  #number(scaled: string, decimals: number): string {
    this.#room += LONGEST_NUMBER;
    return `p = fixed${decimals}(v, p, ${scaled});`;
  }

  /** Statements that write `text`, eight bytes and four at a time; a number that is read from the source keeps its bits. */
  #put(text: string): string {
    this.#room += text.length;
    const bytes = new DataView(new ArrayBuffer(text.length + PIECE_SLACK));
    for (let index = 0; index < text.length; index++) bytes.setUint8(index, text.charCodeAt(index));
    let statements = ` /* ${text} */`;
    let at = 0;
    for (; text.length - at > 4; at += 8)
      statements += ` v.setFloat64(p + ${at}, ${bytes.getFloat64(at, true)}, true);`;
    if (text.length > at) statements += ` v.setInt32(p + ${at}, ${bytes.getInt32(at, true)}, true);`;
    return `${statements} p += ${text.length};`;
  }
}

/** Made once per definition; the text has the members of the decoded message in the same order. */
export const jsonWriterOf = (definition: Definition): Write =>
  compile(definition, (constant) => new TextSink(constant));
