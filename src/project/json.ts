/**
 * JSON of projects: parsed and printed without losing an integer.
 *
 * A project may hold 64-bit NAMEs of devices, which a double cannot. Integers beyond 2^53 are parsed as bigint and printed with
 * all digits. Only a text with a run of 16 digits can hold one; every other text is parsed by JSON.parse.
 */

export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

/** A JSON object; `__proto__` is a key like any other, so copy with spread and never with `Object.assign`. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Deeper values could be parsed but not printed again. */
const MAX_DEPTH = 1000;

const decoder = new TextDecoder("utf-8", { fatal: true });
const encoder = new TextEncoder();

/** Reads UTF-8 JSON, with or without byte order mark; throws SyntaxError for anything else. */
export function parseBytes(bytes: Uint8Array): Json {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new SyntaxError("not UTF-8");
  }
  return parse(text);
}

/** Reads JSON; throws SyntaxError, also for a number that overflows a double and for nesting too deep to print. */
export function parse(text: string): Json {
  const value = /\d{16}/.test(text) ? new ExactReader(text).document() : (JSON.parse(text) as Json);
  check(value, 0);
  return value;
}

/** Prints with two spaces and a final newline, keys in their order. */
export function print(value: Json): string {
  try {
    return `${JSON.stringify(value, null, 2)}\n`;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return `${printExactly(value, "\n")}\n`;
  }
}

/** The text of `print` as UTF-8. */
export const printBytes = (value: Json): Uint8Array => encoder.encode(print(value));

/** True for values that print alike: also the order of members counts. */
export function equal(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
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
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value of an own member; inherited ones such as `constructor` are undefined. */
export const own = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** A copy without some keys. */
export const without = (object: JsonObject, ...keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));

function check(value: Json, depth: number): void {
  if (typeof value === "number" && !Number.isFinite(value)) throw new SyntaxError("a number is too large");
  if (typeof value !== "object" || value === null) return;
  if (depth === MAX_DEPTH) throw new SyntaxError("nested too deeply");
  for (const item of Array.isArray(value) ? value : Object.values(value)) check(item, depth + 1);
}

/** JSON.stringify(…, null, 2), but for bigint. `newline` is a newline and the indent of the line that holds the value. */
function printExactly(value: Json, newline: string): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${newline}  `;
  if (Array.isArray(value)) {
    return value.length === 0
      ? "[]"
      : `[${inner}${value.map((item) => printExactly(item, inner)).join(`,${inner}`)}${newline}]`;
  }
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${printExactly(item, inner)}`);
  return members.length === 0 ? "{}" : `{${inner}${members.join(`,${inner}`)}${newline}}`;
}

const numberAt = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const blanksAt = /[ \t\r\n]*/y;

/** A recursive reader of JSON text that keeps large integers; slower than JSON.parse, equal in everything else. */
class ExactReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Json {
    const value = this.#value(0);
    this.#blanks();
    if (this.#at !== this.#text.length) this.#fail();
    return value;
  }

  #value(depth: number): Json {
    if (depth > MAX_DEPTH) throw new SyntaxError("nested too deeply");
    this.#blanks();
    switch (this.#text[this.#at]) {
      case "{":
        return this.#object(depth);
      case "[":
        return this.#array(depth);
      case '"':
        return this.#string();
      case "t":
        return this.#word("true", true);
      case "f":
        return this.#word("false", false);
      case "n":
        return this.#word("null", null);
      default:
        return this.#number();
    }
  }

  #object(depth: number): JsonObject {
    const members: [string, Json][] = [];
    this.#at++;
    if (this.#takes("}")) return {};
    do {
      this.#blanks();
      if (this.#text[this.#at] !== '"') this.#fail();
      const key = this.#string();
      if (!this.#takes(":")) this.#fail();
      members.push([key, this.#value(depth + 1)]);
    } while (this.#takes(","));
    if (!this.#takes("}")) this.#fail();
    return Object.fromEntries(members);
  }

  #array(depth: number): readonly Json[] {
    const items: Json[] = [];
    this.#at++;
    if (this.#takes("]")) return items;
    do items.push(this.#value(depth + 1));
    while (this.#takes(","));
    if (!this.#takes("]")) this.#fail();
    return items;
  }

  /** Finds the closing quote and leaves escapes and forbidden characters to the engine. */
  #string(): string {
    let end = this.#text.indexOf('"', this.#at + 1);
    while (end !== -1 && this.#isEscaped(end)) end = this.#text.indexOf('"', end + 1);
    if (end === -1) this.#fail();
    const literal = this.#text.slice(this.#at, end + 1);
    this.#at = end + 1;
    return JSON.parse(literal) as string;
  }

  #isEscaped(quote: number): boolean {
    let first = quote;
    while (this.#text[first - 1] === "\\") first--;
    return (quote - first) % 2 === 1;
  }

  #number(): number | bigint {
    numberAt.lastIndex = this.#at;
    const found = numberAt.exec(this.#text);
    if (found === null) this.#fail();
    this.#at = numberAt.lastIndex;
    const [literal, fraction, exponent] = found;
    const value = Number(literal);
    if (!Number.isFinite(value)) throw new SyntaxError("a number is too large");
    const isInteger = fraction === undefined && exponent === undefined;
    return isInteger && !Number.isSafeInteger(value) ? BigInt(literal) : value;
  }

  #word<Value extends Json>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#at)) this.#fail();
    this.#at += word.length;
    return value;
  }

  #takes(character: string): boolean {
    this.#blanks();
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #blanks(): void {
    blanksAt.lastIndex = this.#at;
    blanksAt.exec(this.#text);
    this.#at = blanksAt.lastIndex;
  }

  #fail(): never {
    throw new SyntaxError(`unexpected character at ${this.#at}`);
  }
}
