/**
 * A definition read as an encoder: message → payload. What the message leaves out goes out as "not available"; reserved
 * bits are ones. For the simulator, for tests and for those who write tools; nothing here reaches a bus by itself.
 */
import { alsoNumber, scaling } from "./compile.ts";
import {
  bitsOf,
  type ChoiceField,
  type Definition,
  type Field,
  type Fields,
  isPublished,
  type Message,
  type NumberField,
  type WireType,
} from "./field.ts";

/** Published values by name; a group's entries are of the same kind. */
type Values = Readonly<Record<string, unknown>>;

/** A payload that grows bit by bit. */
class BitWriter {
  #bytes = new Uint8Array(256);
  #bit = 0;

  put(bits: number, value: bigint): void {
    for (let left = bits, rest = BigInt.asUintN(bits, value); left > 0; ) {
      const at = this.#bit >> 3;
      const shift = this.#bit & 7;
      const take = Math.min(8 - shift, left);
      if (at === this.#bytes.length) this.#grow();
      this.#bytes[at]! |= Number(BigInt.asUintN(take, rest)) << shift;
      rest >>= BigInt(take);
      left -= take;
      this.#bit += take;
    }
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  text(bytes: Uint8Array): void {
    for (const byte of bytes) this.put(8, BigInt(byte));
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, Math.ceil(this.#bit / 8));
  }
}

/** The code for "not available": all ones, or the highest number when signed. */
const unavailable = ({ bits, signed }: WireType): bigint =>
  signed ? (1n << BigInt(bits - 1)) - 1n : (1n << BigInt(bits)) - 1n;

/** Raw number of a published one; inverts `scaling`, exactly where the factor is an integer or its inverse. */
function rawNumber({ scale, wire }: NumberField, value: number): bigint {
  const { factor, divisor, addend } = scaling(scale);
  const scaled = Math.round(value * 10 ** scale.decimals);
  if (divisor !== 1) return BigInt(Math.round(scaled - addend)) * BigInt(divisor);
  const raw = Math.round((value * 10 ** scale.decimals - addend) / factor);
  return wire.bits > 53 ? BigInt(Math.round((scaled - addend) / factor)) : BigInt(raw);
}

function rawChoice({ choices, wire }: Pick<ChoiceField, "choices"> & { wire: WireType }, value: unknown): bigint {
  const found = Object.entries(choices).find(([, choice]) => choice === value);
  return found === undefined ? unavailable(wire) : BigInt(found[0]);
}

const toUtf8 = new TextEncoder();

function fixedText(length: number, value: unknown): Uint8Array {
  const bytes = new Uint8Array(length).fill(0xff);
  if (typeof value === "string") {
    // Whole characters only: a cut UTF-8 sequence would be read as something else.
    const whole = toUtf8.encodeInto(value, bytes);
    bytes.fill(0x20, whole.written);
  }
  return bytes;
}

/** ASCII and UTF-8 go out with encoding 1, at most 253 bytes behind the head. */
function lauText(value: unknown): Uint8Array {
  if (typeof value !== "string") return Uint8Array.of(2, 1);
  const bytes = new Uint8Array(255);
  const { written } = toUtf8.encodeInto(value, bytes.subarray(2));
  bytes[0] = written + 2;
  bytes[1] = 1;
  return bytes.subarray(0, written + 2);
}

const fromHex = (value: unknown): Uint8Array =>
  typeof value === "string"
    ? Uint8Array.from(value.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    : new Uint8Array(0);

/** A number of the message, or the same number given in another unit. */
function rawOf(name: string, field: NumberField, fields: Fields, values: Values): bigint {
  const own = values[name];
  if (typeof own === "number") return rawNumber(field, own);
  for (const [other, also] of Object.entries(fields)) {
    const given = values[other];
    if (also.kind === "also" && also.of === name && typeof given === "number")
      return rawNumber(alsoNumber(field, also), given);
  }
  return unavailable(field.wire);
}

function encodeField(name: string, field: Field, fields: Fields, values: Values, out: BitWriter): void {
  const value = isPublished(name) ? values[name] : undefined;
  switch (field.kind) {
    case "number":
      return out.put(field.wire.bits, rawOf(name, field, fields, values));
    case "digits":
      return out.put(field.wire.bits, value === undefined ? unavailable(field.wire) : BigInt(value as string));
    case "choice":
      return out.put(field.wire.bits, rawChoice(field, value));
    case "flag":
      return out.put(field.wire.bits, value === true ? 1n : 0n);
    case "aboveZero":
      return out.put(field.wire.bits, value === undefined ? unavailable(field.wire) : value === true ? 1n : 0n);
    case "text":
      return out.text(fixedText(field.bytes, value));
    case "lauText":
      return out.text(lauText(value));
    case "hex":
      return out.text(fromHex(value));
    case "skip":
      return out.put(field.bits, field.fill === 1 ? (1n << BigInt(field.bits)) - 1n : 0n);
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
    if (hidden.has(name) && field.kind === "number") out.put(field.wire.bits, BigInt(values[name] as number));
    else encodeField(name, field, fields, values, out);
  }
}

/** Payload of a message; a single frame is filled up to 8 bytes with ones. */
export function encoderOf<One extends Definition>(definition: One): (message: Message<One>) => Uint8Array {
  const { fields, transport } = definition;
  return (message) => {
    const out = new BitWriter();
    encodeFields(fields, message as Values, out);
    const payload = out.finish();
    if (transport !== "single" || payload.length >= 8) return payload;
    const full = new Uint8Array(8).fill(0xff);
    full.set(payload);
    return full;
  };
}

export const payloadBits = (definition: Definition): number | undefined =>
  Object.values(definition.fields).reduce<number | undefined>((sum, field) => {
    const bits = bitsOf(field);
    return sum === undefined || bits === undefined ? undefined : sum + bits;
  }, 0);
