/**
 * Where messages are written: ASCII, byte by byte into one stretch of memory that is used again, so that nothing is joined,
 * flattened or collected on the way from a payload to the socket.
 *
 * What is written often is a `Piece`, eight bytes to a double: copying those is the cheapest there is for short texts. A double
 * that is read and written keeps its bits unless it is a NaN, and UTF-8 never looks like one: its two top bytes would be F0
 * or more and behind it 7F or FF. Words lie in memory as they are written only where the low byte comes first, as on every
 * machine that Node runs a boat on; asking each time costs a third of the copying.
 */
import { quote } from "./ascii-json.ts";
import { writeFixed } from "./fixed.ts";

/** Text made ready for being written many times. */
export interface Piece {
  /** Its bytes, filled up; there may be more words than it needs. */
  readonly words: Float64Array;
  readonly length: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const utf8 = new TextEncoder();
const latin1 = new TextDecoder("latin1");

/** What may be written behind the end of a piece, and what room has to be left for. */
export const PIECE_SLACK = 8;

/** `text` as a piece; beyond ASCII it is UTF-8. */
export function pieceOf(text: string): Piece {
  const bytes = utf8.encode(text);
  const words = new Float64Array(Math.ceil(bytes.length / 8));
  new Uint8Array(words.buffer).set(bytes);
  return { words, length: bytes.length };
}

/** Writes a piece at `at`, where there is room for it and `PIECE_SLACK`; gives the place behind it. */
export function putPiece(view: DataView, at: number, { words, length }: Piece): number {
  const count = (length + 7) >> 3;
  for (let word = 0; word < count; word++) view.setFloat64(at + (word << 3), words[word]!, true);
  return at + length;
}

/** Bytes by which the memory of a copy grows. */
const COPY_STEP = 64;

const OPEN = 0x7b;
const CLOSE = pieceOf("}");
const EMPTY_OBJECT = pieceOf("{}");

export class AsciiBuffer {
  bytes: Uint8Array<ArrayBuffer>;
  /** The same bytes. */
  view: DataView;
  /** How many are written. */
  at = 0;

  constructor(size = 4096) {
    this.bytes = new Uint8Array(size);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Makes room for so many bytes more; `bytes` and `view` may be others then. */
  reserve(room: number): void {
    if (this.at + room > this.bytes.length) this.#grow(room);
  }

  #grow(room: number): void {
    const bytes = new Uint8Array(Math.max(2 * this.bytes.length, this.at + room));
    bytes.set(this.bytes.subarray(0, this.at));
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
  }

  put(piece: Piece): void {
    this.reserve(piece.length + PIECE_SLACK);
    this.at = putPiece(this.view, this.at, piece);
  }

  /** Text that is known to be ASCII. */
  ascii(text: string): void {
    this.reserve(text.length);
    const { bytes, at } = this;
    for (let index = 0; index < text.length; index++) bytes[at + index] = text.charCodeAt(index);
    this.at = at + text.length;
  }

  /** `text` as a JSON string. Most texts are plain ASCII and are written as they are read. */
  quoted(text: string): void {
    this.reserve(text.length + 2);
    const { bytes, at } = this;
    bytes[at] = QUOTE;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit < 0x20 || unit > 0x7e || unit === QUOTE || unit === BACKSLASH) return this.ascii(quote(text));
      bytes[at + 1 + index] = unit;
    }
    bytes[at + 1 + text.length] = QUOTE;
    this.at = at + 2 + text.length;
  }

  /** Ends the members written from `from` on, which begin with a comma: the bracket takes the place of the first one. */
  closeObject(from: number): void {
    if (this.at === from) this.put(EMPTY_OBJECT);
    else {
      this.bytes[from] = OPEN;
      this.put(CLOSE);
    }
  }

  /** `scaled` / 10^decimals, an integer count of the last decimal, in decimal digits. */
  fixed(scaled: number, decimals: number): void {
    this.reserve(LONGEST_NUMBER);
    this.at = writeFixed[decimals]!(this.view, this.at, scaled);
  }

  /** A key and its number, as `put` and `fixed` write them. */
  member(key: Piece, scaled: number, decimals: number): void {
    this.reserve(key.length + LONGEST_NUMBER);
    this.at = writeFixed[decimals]!(this.view, putPiece(this.view, this.at, key), scaled);
  }

  /** As `put`, faster for long texts. */
  paste(copy: Copy): void {
    this.reserve(copy.bytes.length);
    this.bytes.set(copy.bytes, this.at);
    this.at += copy.length;
  }

  /** What has been written from `from` on. */
  text(from = 0): string {
    return latin1.decode(this.bytes.subarray(from, this.at));
  }

  /** Holds what `other` holds from `from` on, and nothing else. */
  take(other: AsciiBuffer, from: number): void {
    this.at = 0;
    this.reserve(other.at - from);
    this.bytes.set(other.bytes.subarray(from, other.at));
    this.at = other.at - from;
  }

  /** Whether what has been written from `from` on is all that `other` holds. */
  endsWith(other: AsciiBuffer, from: number): boolean {
    if (this.at - from !== other.at) return false;
    for (let index = 0; index < other.at; index++) if (this.bytes[from + index] !== other.bytes[index]) return false;
    return true;
  }
}

/** A piece that is made again and again of what a buffer holds, in the same memory as far as that has room. */
export class Copy implements Piece {
  words = new Float64Array(0);
  /** The same memory. */
  bytes = new Uint8Array(this.words.buffer);
  length = 0;

  /** Takes what has been written to `out` from `from` on. */
  take(out: AsciiBuffer, from: number): void {
    this.length = out.at - from;
    if (this.length > this.bytes.length) {
      this.words = new Float64Array(Math.ceil(this.length / COPY_STEP) * (COPY_STEP / 8));
      this.bytes = new Uint8Array(this.words.buffer);
    }
    this.bytes.set(out.bytes.subarray(from, out.at));
    // What was left behind the end could be read as a NaN.
    this.bytes.fill(0, this.length);
  }
}

/** Room for any number: sign, 16 digits, point, decimals, and what is written behind its end. */
export const LONGEST_NUMBER = 40;

/** A function that gives as a string what `write` writes. */
export function textOf<Arguments extends readonly unknown[]>(
  write: (out: AsciiBuffer, ...more: Arguments) => void,
): (...more: Arguments) => string {
  const out = new AsciiBuffer();
  return (...more) => {
    out.at = 0;
    write(out, ...more);
    return out.text();
  };
}
