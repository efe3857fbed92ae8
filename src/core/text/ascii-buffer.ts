/**
 * An output buffer for ASCII text: one block of memory that is reused, so that no strings are joined or collected on
 * the way from a payload to the socket.
 *
 * Text that is written often is encoded once, as an `EncodedText`, and copied eight bytes at a time as doubles. A
 * double keeps its bits when it is copied unless it is a NaN, and UTF-8 never forms one: its two top bytes would have
 * to be F0 or more and 7F or FF. The byte order is little-endian, as on every machine the daemon runs on.
 */
import { quote } from "./ascii-json.ts";
import { writeFixed } from "./numbers.ts";

/** Text encoded once to be written many times. */
export interface EncodedText {
  /** The bytes, padded with zeros to whole words; there may be more words than the text needs. */
  readonly words: Float64Array;
  /** Length in bytes. */
  readonly length: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const utf8 = new TextEncoder();
const latin1 = new TextDecoder("latin1");

/** Bytes that may be written behind the end of an encoded text; room has to be reserved for them. */
export const ENCODED_SLACK = 8;

/**
 * Encodes `text` as UTF-8.
 *
 * @example
 * const KEY = encodeText(',"name":');
 * out.write(KEY);
 */
export function encodeText(text: string): EncodedText {
  const bytes = utf8.encode(text);
  const words = new Float64Array(Math.ceil(bytes.length / 8));
  new Uint8Array(words.buffer).set(bytes);
  return { words, length: bytes.length };
}

/** Writes an encoded text at `at`, where there is room for it and `ENCODED_SLACK`; returns the position behind it. */
export function writeEncoded(view: DataView, at: number, { words, length }: EncodedText): number {
  const count = (length + 7) >> 3;
  for (let word = 0; word < count; word++) view.setFloat64(at + (word << 3), words[word]!, true);
  return at + length;
}

/** Bytes by which the memory of a reusable text grows. */
const GROWTH_STEP = 64;

const OPEN = 0x7b;
const CLOSE = encodeText("}");
const EMPTY_OBJECT = encodeText("{}");

export class AsciiBuffer {
  bytes: Uint8Array<ArrayBuffer>;
  /** The same bytes. */
  view: DataView;
  /** Where the next byte goes: the number of bytes written. */
  at = 0;

  constructor(size = 4096) {
    this.bytes = new Uint8Array(size);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Makes room for `room` more bytes, which may replace `bytes` and `view`. */
  reserve(room: number): void {
    if (this.at + room > this.bytes.length) this.#grow(room);
  }

  #grow(room: number): void {
    const bytes = new Uint8Array(Math.max(2 * this.bytes.length, this.at + room));
    bytes.set(this.bytes.subarray(0, this.at));
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
  }

  write(text: EncodedText): void {
    this.reserve(text.length + ENCODED_SLACK);
    this.at = writeEncoded(this.view, this.at, text);
  }

  /** Writes text that is known to be ASCII. */
  ascii(text: string): void {
    const { length } = text;
    this.reserve(length);
    const { bytes, at } = this;
    for (let index = 0; index < length; index++) bytes[at + index] = text.charCodeAt(index);
    this.at = at + length;
  }

  /** Writes `text` as a JSON string; plain ASCII, the usual case, without an intermediate string. */
  quoted(text: string): void {
    const { length } = text;
    this.reserve(length + 2);
    const { bytes, at } = this;
    bytes[at] = QUOTE;
    for (let index = 0; index < length; index++) {
      const unit = text.charCodeAt(index);
      if (unit < 0x20 || unit > 0x7e || unit === QUOTE || unit === BACKSLASH) return this.ascii(quote(text));
      bytes[at + 1 + index] = unit;
    }
    bytes[at + 1 + length] = QUOTE;
    this.at = at + 2 + length;
  }

  /**
   * Makes an object of the members written since `from`; its opening brace replaces the comma in front of the first
   * member.
   */
  closeObject(from: number): void {
    if (this.at === from) this.write(EMPTY_OBJECT);
    else {
      this.bytes[from] = OPEN;
      this.write(CLOSE);
    }
  }

  /** Writes the number `scaled` / 10^decimals in decimal digits; `scaled` is an integer. */
  fixed(scaled: number, decimals: number): void {
    this.reserve(LONGEST_NUMBER);
    this.at = writeFixed[decimals]!(this.view, this.at, scaled);
  }

  /** Writes a key and its number, as `write` and `fixed` do. */
  member(key: EncodedText, scaled: number, decimals: number): void {
    this.reserve(key.length + LONGEST_NUMBER);
    this.at = writeFixed[decimals]!(this.view, writeEncoded(this.view, this.at, key), scaled);
  }

  /** Does the same as `write`, faster for texts of hundreds of bytes. */
  writeBytes(text: ReusableText): void {
    this.reserve(text.bytes.length);
    this.bytes.set(text.bytes, this.at);
    this.at += text.length;
  }

  /** The text written since `from`. */
  text(from = 0): string {
    return latin1.decode(this.bytes.subarray(from, this.at));
  }

  /** Replaces the contents by what was written to `other` since `from`. */
  copyFrom(other: AsciiBuffer, from: number): void {
    this.at = 0;
    this.reserve(other.at - from);
    this.bytes.set(other.bytes.subarray(from, other.at));
    this.at = other.at - from;
  }

  /** True if the bytes written since `from` equal the contents of `other`. */
  endsWith(other: AsciiBuffer, from: number): boolean {
    if (this.at - from !== other.at) return false;
    for (let index = 0; index < other.at; index++) if (this.bytes[from + index] !== other.bytes[index]) return false;
    return true;
  }
}

/** An encoded text whose memory is reused when its contents change. */
export class ReusableText implements EncodedText {
  words = new Float64Array(0);
  /** The same memory. */
  bytes = new Uint8Array(this.words.buffer);
  length = 0;

  /** Replaces the contents by what was written to `out` since `from`. */
  copyFrom(out: AsciiBuffer, from: number): void {
    this.length = out.at - from;
    if (this.length > this.bytes.length) {
      this.words = new Float64Array(Math.ceil(this.length / GROWTH_STEP) * (GROWTH_STEP / 8));
      this.bytes = new Uint8Array(this.words.buffer);
    }
    this.bytes.set(out.bytes.subarray(from, out.at));
    // Leftovers behind the end could form a NaN.
    this.bytes.fill(0, this.length);
  }
}

/** Room for any number, in bytes: sign, 16 digits, point, decimals, and the bytes written behind its end. */
export const LONGEST_NUMBER = 40;

/**
 * Turns a function that writes to a buffer into one that returns a string.
 *
 * @example textOf((out, value: number) => out.fixed(value, 2))(1234) // "12.34"
 */
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
