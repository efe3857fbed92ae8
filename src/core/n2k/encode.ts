/**
 * A definition read as an encoder: message to payload. Absent values are encoded as "not available", reserved bits as
 * ones. For the simulator, the node, tests and tools; it sends nothing.
 */

import { memoize } from "../util/memoize.ts";
import type { Definition, Message } from "./definition.ts";
import {
  type BitsField,
  type ChoiceField,
  type Choices,
  type Field,
  type Fields,
  isPublished,
  joinedBits,
  type KeyedField,
  type NumberField,
} from "./field.ts";
import { alsoNumber, scaling } from "./scaling.ts";
import { readLauText, readText } from "./text.ts";
import type { WireType } from "./wire.ts";

/** Published values by name, of a message or of an entry of a group. */
type Values = Readonly<Record<string, unknown>>;

/** Appends bits to a payload. */
class BitWriter {
  /** Arrays of up to 64 bytes lie in the heap of V8, without an ArrayBuffer of their own. A longer payload makes it grow. */
  #bytes = new Uint8Array(64);
  #bit = 0;
  /** Bits before the first field whose absence no code says. */
  #statedBits = Number.POSITIVE_INFINITY;

  write(bits: number, value: bigint): void {
    for (let left = bits, rest = BigInt.asUintN(bits, value); left > 0; ) {
      const at = this.#bit >> 3;
      const shift = this.#bit & 7;
      const count = Math.min(8 - shift, left);
      if (at === this.#bytes.length) this.#grow();
      this.#bytes[at]! |= Number(BigInt.asUintN(count, rest)) << shift;
      rest >>= BigInt(count);
      left -= count;
      this.#bit += count;
    }
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  writeBytes(bytes: Uint8Array): void {
    for (const byte of bytes) this.write(8, BigInt(byte));
  }

  /** Writes zeros for a value that is absent, in a field of which every code is a value. */
  writeUnstated(bits: number): void {
    this.#statedBits = Math.min(this.#statedBits, this.#bit);
    this.write(bits, 0n);
  }

  /** Whole bytes before the first field that is unstated. */
  get statedBytes(): number {
    return Math.floor(this.#statedBits / 8);
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, Math.ceil(this.#bit / 8));
  }
}

const scalingOf = memoize(scaling);

const floatBits = (value: number): bigint => {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return BigInt(view.getUint32(0));
};

/** The code for "not available": all ones, or the highest number when signed; undefined where every code is a value. */
const unavailable = ({ bits, signed, highest, float }: WireType): bigint | undefined => {
  if (float) return floatBits(Number.NaN);
  const top = signed ? (1n << BigInt(bits - 1)) - 1n : (1n << BigInt(bits)) - 1n;
  return BigInt(highest) >= top && bits < 53 ? undefined : top;
};

/**
 * The raw number of a published one; undefined when the field cannot hold it. The decoder rounds ties up, so that its
 * inverse rounds them down.
 */
function rawNumber({ scale, wire }: NumberField, value: number): bigint | undefined {
  const { factor, divisor, addend } = scalingOf(scale);
  // Three digits behind the last decimal keep the value and remove floating-point noise.
  const scaled = Math.round(value * 10 ** scale.decimals * 1000) / 1000 - addend;
  if (wire.float) return floatBits((scaled * divisor) / factor);
  const raw = -Math.round((-scaled * divisor) / factor);
  return raw >= wire.lowest && raw <= wire.highest ? BigInt(raw) : undefined;
}

const toUtf8 = new TextEncoder();

/** Bytes of ISO 8859-1, undefined when the text has other characters. */
function toLatin1(text: string): Uint8Array | undefined {
  const codes = Array.from(text, (character) => character.codePointAt(0)!);
  return codes.every((code) => code <= 0xff) ? Uint8Array.from(codes) : undefined;
}

/** UTF-8, or ISO 8859-1 if only that fits and is not valid UTF-8. */
function fixedText(length: number, value: unknown): Uint8Array {
  const bytes = new Uint8Array(length).fill(0xff);
  if (typeof value !== "string") return bytes;
  const latin1 = toLatin1(value);
  if (latin1 !== undefined && toUtf8.encode(value).length > length && readText(latin1, 0, length) === value) {
    bytes.fill(0x20);
    bytes.set(latin1);
    return bytes;
  }
  // Whole characters only: a truncated UTF-8 sequence would be read as ISO 8859-1.
  const { written } = toUtf8.encodeInto(value, bytes);
  return bytes.fill(0x20, written);
}

/** Maximum bytes of a text after length and encoding. */
const LAU_BYTES = 253;

/** UTF-8 with encoding 1; a text that is too long for it as ISO 8859-1 or, with encoding 0, as UTF-16. */
function lauText(value: unknown): Uint8Array {
  if (typeof value !== "string") return Uint8Array.of(2, 1);
  const utf8 = toUtf8.encode(value);
  if (utf8.length > LAU_BYTES) {
    const latin1 = toLatin1(value);
    if (latin1 !== undefined && latin1.length <= LAU_BYTES) {
      const text = Uint8Array.of(latin1.length + 2, 1, ...latin1);
      if (readLauText(text, 0, text.length) === value) return text;
    }
    if (value.length <= LAU_BYTES >> 1) {
      const units = Array.from({ length: value.length }, (_, index) => value.charCodeAt(index));
      return Uint8Array.of(2 + 2 * units.length, 0, ...units.flatMap((unit) => [unit & 0xff, unit >> 8]));
    }
  }
  const bytes = new Uint8Array(2 + LAU_BYTES);
  const { written } = toUtf8.encodeInto(value, bytes.subarray(2));
  bytes[0] = written + 2;
  bytes[1] = 1;
  return bytes.subarray(0, written + 2);
}

const digitPairs = (length: number, value: unknown): Uint8Array => {
  const bytes = new Uint8Array(length).fill(0xff);
  if (typeof value === "string")
    for (let at = 0; at < length; at++) bytes[at] = Number(value.slice(2 * at, 2 * at + 2));
  return bytes;
};

const fromHex = (value: unknown): Uint8Array =>
  typeof value === "string"
    ? Uint8Array.from(value.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    : new Uint8Array(0);

/** The first `length` bytes; missing ones are 0xff. */
function cut(bytes: Uint8Array, length: number): Uint8Array {
  const whole = new Uint8Array(length).fill(0xff);
  whole.set(bytes.subarray(0, length));
  return whole;
}

/** A code without a value: the highest one, or else zero. */
function absentCode({ choices, wire, open, without = [] }: ChoiceField): bigint {
  const top = 2 ** wire.bits - 1;
  if (open) return BigInt(choices[top] === undefined && wire.bits > 1 ? top : (without[0] ?? 0));
  for (let code = top; code >= 0; code--) if (choices[code] === undefined) return BigInt(code);
  return 0n;
}

/** The code of a text, or of digits. */
const codeOfChoice = (field: ChoiceField, value: unknown): bigint => {
  const isDigits = field.open && typeof value === "string" && /^\d+$/.test(value);
  return codeOf(field.choices, value) ?? (isDigits ? BigInt(value) : absentCode(field));
};

/** Sets the bits of these names; if several bits have the same name, the first ones. */
function bitsOfNames({ names, wire }: BitsField, value: unknown): bigint {
  if (!Array.isArray(value)) return (1n << BigInt(wire.bits)) - 1n;
  const left = [...value];
  let set = 0n;
  for (let bit = 0; bit < wire.bits; bit++) {
    const place = left.indexOf(names[bit] ?? `bit ${bit}`);
    if (place === -1) continue;
    left.splice(place, 1);
    set |= 1n << BigInt(bit);
  }
  return set;
}

/** UTF-8 preceded by its length. */
function lzText(value: unknown): Uint8Array {
  const bytes = new Uint8Array(0x100);
  const { written } = toUtf8.encodeInto(typeof value === "string" ? value : "", bytes.subarray(1));
  bytes[0] = written;
  return bytes.subarray(0, written + 1);
}

const codeOf = (choices: Choices, value: unknown): bigint | undefined => {
  const found = Object.entries(choices).find(([, choice]) => choice === value);
  return found === undefined ? undefined : BigInt(found[0]);
};

/**
 * The raw number of a field, given by its own value, in another unit, or by its text; undefined if it has no value and
 * no code for that.
 */
function rawOf(name: string, field: NumberField, fields: Fields, values: Values): bigint | undefined {
  const absent = field.absent === undefined ? unavailable(field.wire) : BigInt(field.absent);
  const own = values[name];
  if (typeof own === "number") return rawNumber(field, own) ?? absent;
  for (const [other, also] of Object.entries(fields)) {
    const given = values[other];
    if (also.kind === "joined" && typeof given === "number" && also.of.includes(name))
      return BigInt(given) >> BigInt(joinedBits({ ...also, of: also.of.slice(0, also.of.indexOf(name)) }, fields));
    if (given === undefined || !("of" in also) || also.of !== name) continue;
    if (also.kind === "also" && typeof given === "number") return rawNumber(alsoNumber(field, also), given) ?? absent;
    const code = also.kind === "alsoChoice" ? codeOf(also.choices, given) : undefined;
    if (code !== undefined) return code;
  }
  return absent;
}

function encodeField(name: string, field: Field, fields: Fields, values: Values, out: BitWriter): void {
  const value = isPublished(name) ? values[name] : undefined;
  const write = (bits: number, raw: bigint | undefined): void =>
    raw === undefined ? out.writeUnstated(bits) : out.write(bits, raw);
  switch (field.kind) {
    case "number":
      return write(field.wire.bits, rawOf(name, field, fields, values));
    case "digits":
      return write(field.wire.bits, value === undefined ? unavailable(field.wire) : BigInt(value as string));
    case "choice":
      return out.write(field.wire.bits, codeOfChoice(field, value));
    case "bits":
      return out.write(field.wire.bits, bitsOfNames(field, value));
    case "flag":
      return out.write(field.wire.bits, value === true ? 1n : 0n);
    case "aboveZero":
      return write(field.wire.bits, value === undefined ? unavailable(field.wire) : value === true ? 1n : 0n);
    case "digitPairs":
      return out.writeBytes(digitPairs(field.bytes, value));
    case "text":
      return out.writeBytes(fixedText(field.bytes, value));
    case "lauText":
      return out.writeBytes(lauText(value));
    case "lzText":
      return out.writeBytes(lzText(value));
    case "hex":
      return out.writeBytes(field.bytes === undefined ? fromHex(value) : cut(fromHex(value), field.bytes));
    case "keyed":
      return encodeKeyed(field, fields, values, out);
    case "skip":
      return out.write(field.bits, field.fill === 1 ? (1n << BigInt(field.bits)) - 1n : 0n);
    case "repeat":
      return encodeRepeat(field, value, out);
    case "pick":
      return encodeFields(field.group, { ...values, [field.by]: field.is }, out, new Set([field.by]));
    case "either": {
      const isIt = Object.keys(field.matching).some((key) => values[key] !== undefined);
      return encodeFields(isIt ? field.matching : field.otherwise, values, out);
    }
    default:
      return;
  }
}

function encodeKeyed(
  { by, length, cases, otherwise }: KeyedField,
  fields: Fields,
  values: Values,
  out: BitWriter,
): void {
  const code = Number(codeOfChoice(fields[by] as ChoiceField, values[by]));
  const value = new BitWriter();
  encodeFields(cases[code] ?? otherwise, values, value);
  const bytes = length === undefined ? undefined : values[length];
  out.writeBytes(typeof bytes === "number" ? cut(value.finish(), bytes) : value.finish());
}

function encodeRepeat(field: Extract<Field, { kind: "repeat" }>, value: unknown, out: BitWriter): void {
  const entries = (value ?? []) as readonly Values[];
  if (field.times === undefined) {
    for (const entry of entries) encodeFields(field.group, entry, out);
    return;
  }
  for (let index = 0; index < field.times; index++) {
    const { numbered } = field;
    const entry = numbered === undefined ? entries[index] : entries.find((one) => one[numbered] === index + 1);
    encodeFields(field.group, entry ?? {}, out);
  }
}

function encodeFields(fields: Fields, values: Values, out: BitWriter, hidden: ReadonlySet<string> = new Set()): void {
  for (const [name, field] of Object.entries(fields)) {
    if (hidden.has(name) && field.kind === "number") out.write(field.wire.bits, BigInt(values[name] as number));
    else encodeField(name, field, fields, values, out);
  }
}

/** Makes an encoder that tells too how many bytes state what the message says, and nothing that it does not say. */
function encodingOf<One extends Definition>(definition: One) {
  const { fields, transport, bytes = 8 } = definition;
  // A fast packet has at least one byte.
  const least = transport === "single" ? bytes : 1;
  return (message: Message<One>): { readonly payload: Uint8Array; readonly statedBytes: number } => {
    const out = new BitWriter();
    encodeFields(fields, message as Values, out);
    const payload = out.finish();
    if (payload.length >= least) return { payload, statedBytes: out.statedBytes };
    const full = new Uint8Array(least).fill(0xff);
    full.set(payload);
    return { payload: full, statedBytes: out.statedBytes };
  };
}

/**
 * Makes an encoder; a single frame is filled up to 8 bytes with ones.
 *
 * @example encoderOf(vesselHeading)({ pgn: 127250, headingDeg: 180, reference: "True" }) // Uint8Array(8)
 */
export function encoderOf<One extends Definition>(definition: One): (message: Message<One>) => Uint8Array {
  const encode = encodingOf(definition);
  return (message) => encode(message).payload;
}

/**
 * As `encoderOf`, for what is measured: a payload ends before the first number that is absent and has no code for that
 * (the bits of an engine's faults, of which all zeros say that there are none).
 *
 * @example statingEncoderOf(engineParametersDynamic)({ pgn: 127489, engineHours: 100 }) // without discreteStatus1
 */
export function statingEncoderOf<One extends Definition>(definition: One): (message: Message<One>) => Uint8Array {
  const encode = encodingOf(definition);
  return (message) => {
    const { payload, statedBytes } = encode(message);
    return payload.subarray(0, statedBytes);
  };
}
