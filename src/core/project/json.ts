/**
 * JSON of projects: parsed and printed without changing a number.
 *
 * A number whose text JavaScript would print differently, such as a 64-bit NAME, `1.50` or `-0`, is an ExactNumber. The
 * engine's own JSON functions do the work: exact numbers pass through them as strings that begin with a random mark.
 */
import type { Pieces } from "../util/bytes.ts";
import { MAX_DEPTH } from "../util/json-nesting.ts";
import { memoize } from "../util/memoize.ts";
import { Work } from "../util/work.ts";

export type Json = null | boolean | number | ExactNumber | string | readonly Json[] | JsonObject;

/** A JSON object; `__proto__` is a key like any other, so copy with spread and never with `Object.assign`. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A number as the text that was sent. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): string {
    return `${mark()}${this.text}`;
  }
}

/** Length of a string above which copies of it are avoided. */
const LONG_TEXT = 1 << 16;

/** The longest string of V8. */
const MAX_LENGTH = 2 ** 29 - 24;

let randomMark: string | undefined;
/**
 * Random, so that no string in a document begins with it. Made on first use, because workers have no random numbers
 * before.
 */
const mark = (): string => {
  randomMark ??= crypto.randomUUID();
  return randomMark;
};

const decoder = new TextDecoder("utf-8", { fatal: true });
const encoder = new TextEncoder();

/** Bytes of long strings whose decoding takes the time of a token: ASCII, and other characters. */
const [BYTES_A_TOKEN, OTHER_BYTES_A_TOKEN] = [256, 16];

/** Tokens between two checks of the limit. */
const TOKENS_AT_ONCE = 1024;

/**
 * Reads UTF-8 JSON, with or without byte order mark; throws SyntaxError for anything else, RangeError beyond 512 MiB,
 * and TooMuchWork, before anything is built, for more than `work` admits.
 */
export function parseBytes(bytes: Uint8Array, work = new Work()): Json {
  if (bytes.length > MAX_LENGTH) throw new RangeError("text is too long");
  work.take(bytes.length / BYTES_A_TOKEN);
  if (bytes.length > LONG_TEXT && !isAscii(bytes)) work.take(bytes.length / OTHER_BYTES_A_TOKEN);
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new SyntaxError("not UTF-8");
  }
  return parse(text, work);
}

function isAscii(bytes: Uint8Array): boolean {
  // Reads four bytes at a time, from an offset that is a multiple of four; the few at the ends cost nothing.
  const begin = bytes.byteOffset + (-bytes.byteOffset & 3);
  const words = new Int32Array(bytes.buffer, begin, (bytes.byteOffset + bytes.length - begin) >> 2);
  let seen = 0;
  for (let at = 0; at < words.length; at++) seen |= words[at]!;
  return (seen & 0x80808080) === 0;
}

/** JSON that is nested beyond `MAX_DEPTH`. */
export class NestingError extends SyntaxError {
  override readonly name = "NestingError";
}

/**
 * Reads JSON; throws SyntaxError, also for a number that overflows a double and for nesting too deep to print
 * (NestingError).
 */
export function parse(text: string, work = new Work()): Json {
  const marked = markExactNumbers(text, work);
  const value = JSON.parse(marked) as Json;
  return marked === text ? value : revive(value);
}

/** Prints with two spaces and a final newline, keys in their order. */
export const print = (value: Json): string => withExactNumbers(`${JSON.stringify(value, null, 2)}\n`);

function withExactNumbers(text: string): string {
  if (randomMark === undefined || !text.includes(randomMark)) return text;
  return text.replaceAll(new RegExp(`"${randomMark}([^"]*)"`, "g"), "$1");
}

/** The text of `print` as UTF-8. Long strings, such as media, are pieces of their own, the same ones each time. */
export function printPieces(value: Json): Pieces {
  if (!contains(value, isLong)) return [encoder.encode(print(value))];
  const place = `${mark()}text`;
  const long: Uint8Array[] = [];
  function take(this: JsonObject | readonly Json[], key: string, item: Json): Json {
    // An exact number may be long too, but is not a string in its holder.
    const bytes = isLong(item) ? plainMembers(this).get(key) : undefined;
    if (bytes === undefined) return item;
    long.push(bytes);
    return place;
  }
  const parts = `${JSON.stringify(value, take, 2)}\n`
    .split(place)
    .map((part) => encoder.encode(withExactNumbers(part)));
  return parts.flatMap((part, index) => [part, ...long.slice(index, index + 1)]);
}

const isLong = (value: Json): value is string => typeof value === "string" && value.length >= LONG_TEXT;

/**
 * The long strings of an object or a list that JSON writes unchanged, by their names, a byte for each character.
 * Memoized, because they stay from one version of a project to the next, and to scan them takes longer than to write
 * them.
 */
const plainMembers = memoize(
  (holder: JsonObject | readonly Json[]): ReadonlyMap<string, Uint8Array> =>
    new Map(
      Object.entries(holder).flatMap(([name, item]) =>
        isLong(item) && !/[^ !#-[\]-~]/.test(item) ? [[name, encoder.encode(item)] as const] : [],
      ),
    ),
);

/** True for values that print alike; the order of members counts too. */
export function equal(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (one instanceof ExactNumber) return other instanceof ExactNumber && one.text === other.text;
  if (Array.isArray(one)) {
    return Array.isArray(other) && one.length === other.length && one.every((item, place) => equal(item, other[place]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return (
    keys.length === others.length && keys.every((key, place) => key === others[place] && equal(one[key], other[key]))
  );
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

/** The value of a number as a double; other values unchanged. */
export const rounded = <Value extends Json | undefined>(value: Value): Exclude<Value, ExactNumber> | number =>
  value instanceof ExactNumber ? Number(value.text) : (value as Exclude<Value, ExactNumber>);

/** A value with all numbers rounded, for schemas and comparisons; the same object if none had to be. */
export const allRounded = (value: Json): Json =>
  contains(value, (each) => each instanceof ExactNumber) ? copyRounded(value) : value;

/** True if a predicate holds for a value or for one inside it. */
function contains(value: Json, holds: (value: Json) => boolean): boolean {
  if (holds(value)) return true;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => contains(item, holds));
  // Not Object.values, which copies an object of millions of members.
  for (const key in value as JsonObject) if (contains((value as JsonObject)[key]!, holds)) return true;
  return false;
}

function copyRounded(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof ExactNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(copyRounded);
  return Object.fromEntries(Object.entries(value as JsonObject).map(([key, item]) => [key, copyRounded(item)]));
}

/** The value of an own member; inherited ones such as `constructor` are undefined. */
export const own = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** A copy without some keys. */
export const without = (object: JsonObject, ...keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));

/** True if lists and objects within a value are nested more than `levels` deep. */
export function isDeeperThan(levels: number, value: Json): boolean {
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(levels - 1, item));
  for (const key in value as JsonObject) if (isDeeperThan(levels - 1, (value as JsonObject)[key]!)) return true;
  return false;
}

/** Characters of JSON by their codes. */
const [QUOTE, COMMA, MINUS, ZERO, NINE, COLON, BACKSLASH] = [0x22, 0x2c, 0x2d, 0x30, 0x39, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

const numberAt = /-?\d[\d.eE+-]*/y;
const wholeNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** JavaScript prints these numbers unchanged. */
const shortInteger = /^(?:0|-?[1-9]\d{0,14})$/;

/**
 * The text with a marked string in place of each number that would not keep its text; the rest is unchanged, because
 * JSON.parse finds errors. Throws SyntaxError for nesting that is too deep, before anything is built, and for a number
 * beyond a double.
 */
function markExactNumbers(text: string, work: Work): string {
  const parts: string[] = [];
  let copied = 0;
  let depth = 0;
  let tokens = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at, work);
    } else if (code === COMMA || code === COLON) {
      tokens++;
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      tokens++;
      if (++depth > MAX_DEPTH) throw new NestingError("nested too deeply");
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      depth--;
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      numberAt.lastIndex = at;
      const literal = numberAt.exec(text)?.[0] ?? "-";
      if (isExact(literal)) {
        parts.push(text.slice(copied, at), `"${mark()}${literal}"`);
        copied = at + literal.length;
      }
      at += literal.length - 1;
    }
    if (tokens === TOKENS_AT_ONCE) {
      work.take(tokens);
      tokens = 0;
    }
  }
  work.take(tokens);
  return copied === 0 ? text : parts.join("") + text.slice(copied);
}

function isExact(literal: string): boolean {
  if (shortInteger.test(literal) || !wholeNumber.test(literal)) return false;
  const value = Number(literal);
  if (!Number.isFinite(value)) throw new SyntaxError("a number is too large");
  return String(value) !== literal;
}

/**
 * The place of the closing quote; the end of the text without one. A quote within the string costs as much as a token.
 */
function endOfString(text: string, start: number, work: Work): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
    work.take(1);
  }
  return text.length;
}

/** Replaces the marked strings of a tree by exact numbers, in place; nothing else refers to the tree yet. */
function revive(value: Json): Json {
  if (typeof value === "string") return value.startsWith(mark()) ? new ExactNumber(value.slice(mark().length)) : value;
  if (typeof value !== "object" || value === null) return value;
  const tree = value as Record<string, Json>;
  for (const key in tree) {
    // A number stands in place of the name of a member.
    if (key.startsWith(mark())) throw new SyntaxError("a name is no string");
    const item = tree[key]!;
    if (typeof item === "string" ? item.startsWith(mark()) : typeof item === "object") tree[key] = revive(item);
  }
  return value;
}
