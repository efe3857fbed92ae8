/**
 * The language of AIS messages on the radio (ITU-R M.1371) and in `!AIVDM` (IEC 61162-1): fields of bits in their
 * order, six bits to a character.
 *
 *     000000 ... 100111   0 to W       101000 ... 111111   ` to w
 */

/** Fields of a message of hub-cand, by name. */
export type AisData = Readonly<Record<string, unknown>>;

/** Bits of one field, or of several that belong together. */
export interface BitField {
  /** 0 for a field of variable length, which is the last. */
  readonly bits: number;
  write(out: Bits, data: AisData): void;
  /** Adds what the bits say to `data`; nothing if they say that it is not available, or end before. */
  read(from: BitReader, data: Record<string, unknown>): void;
}

/** The message whose fields are read. */
export interface Reading {
  /** Date of today, days since 1970, for a date without a year. */
  readonly today: number;
}

export class Bits {
  readonly #characters: number[] = [];
  length = 0;

  /** Appends the lowest `count` bits of an integer, the highest of them first; negative ones in two's complement. */
  append(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit--) {
      const at = Math.floor(this.length / 6);
      const one = Math.floor(value / 2 ** bit) & 1;
      this.#characters[at] = (this.#characters[at] ?? 0) | (one << (5 - (this.length % 6)));
      this.length += 1;
    }
  }

  /** The characters, and the number of bits of the last one that are not part of the message. */
  armoured(): { readonly payload: string; readonly fillBits: number } {
    const codes = this.#characters.map((value) => value + (value < 40 ? 48 : 56));
    // biome-ignore lint/plugin: characters of a sentence
    return { payload: String.fromCharCode(...codes), fillBits: codes.length * 6 - this.length };
  }
}

/** Reads the payload of a message. */
export class BitReader {
  readonly today: number;
  readonly #payload: string;
  readonly #end: number;
  #at = 0;

  /** The last `fillBits` bits are no part of the message; characters that are none of the alphabet end it. */
  constructor(payload: string, fillBits: number, { today }: Reading) {
    const wrong = payload.search(/[^0-W`-w]/);
    this.#payload = wrong < 0 ? payload : payload.slice(0, wrong);
    this.#end = Math.max(0, this.#payload.length * 6 - (wrong < 0 ? fillBits : 0));
    this.today = today;
  }

  get left(): number {
    return this.#end - this.#at;
  }

  /** The next bits as a number, in two's complement if signed; undefined if there are fewer. */
  take(count: number, signed = false): number | undefined {
    if (this.left < count) {
      this.#at = this.#end;
      return undefined;
    }
    let value = 0;
    for (let bit = 0; bit < count; bit++, this.#at++) {
      const code = this.#payload.charCodeAt(Math.floor(this.#at / 6)) - 48;
      value = value * 2 + (((code > 40 ? code - 8 : code) >> (5 - (this.#at % 6))) & 1);
    }
    return signed && value >= 2 ** (count - 1) ? value - 2 ** count : value;
  }

  /** Text of `length` characters; `@` ends it. */
  text(length: number): string {
    let text = "";
    for (let at = 0; at < length; at++) {
      const code = this.take(6);
      if (code === undefined) break;
      text += String.fromCharCode(code < 32 ? code + 64 : code);
    }
    const end = text.indexOf("@");
    return (end < 0 ? text : text.slice(0, end)).trimEnd();
  }
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

const field = (
  bits: number,
  value: (data: AisData) => number,
  meaning: (raw: number, data: Record<string, unknown>, from: BitReader) => void,
  signed = false,
): BitField => ({
  bits,
  write: (out, data) => out.append(value(data), bits),
  read(from, data) {
    const raw = from.take(bits, signed);
    if (raw !== undefined) meaning(raw, data, from);
  },
});

export interface NumberOptions {
  /** Steps of the field in one unit of the member. */
  readonly times?: number;
  /** The range of the field; its ends also stand for values beyond. */
  readonly min?: number;
  readonly max?: number;
  /** For a direction: the value of one full turn, which is written as zero. */
  readonly turn?: number;
}

/** A number; `absent` is the code for a missing one. */
export const number = (bits: number, member: string, absent: number, options: NumberOptions = {}): BitField => {
  const { times = 1, min = 0, max = 2 ** bits - 1, turn = Number.POSITIVE_INFINITY } = options;
  return field(
    bits,
    (data) => {
      const value = numberOf(data[member]);
      if (value === undefined) return absent;
      const steps = Math.round(Number((value * times).toPrecision(12)));
      return Math.max(min, Math.min(max, steps === turn ? 0 : steps));
    },
    (raw, data) => {
      if (raw !== absent && raw >= min && raw <= max && raw < turn) data[member] = raw / times;
    },
    min < 0,
  );
};

/** A computed number, and the members that it stands for. */
export const computed = field;

export const flag = (member: string): BitField =>
  field(
    1,
    (data) => (data[member] === true ? 1 : 0),
    (raw, data) => {
      data[member] = raw === 1;
    },
  );

/** A list of texts, or an object of them by code. */
export type Texts = readonly string[] | Readonly<Record<number, string>>;

/** The code of a choice; a number is its own code, as hub-cand publishes a code without a text. */
export const codeOf = (texts: Texts, value: unknown): number | undefined => {
  if (typeof value === "number") return value;
  const found = Object.entries(texts).find(([, text]) => text === value);
  return found === undefined ? undefined : Number(found[0]);
};

/** A choice as its code. */
export const choice = (bits: number, member: string, texts: Texts, absent: number): BitField => {
  const codes = new Map<unknown, number>(Object.entries(texts).map(([code, text]) => [text, Number(code)]));
  return field(
    bits,
    (data) => {
      const value = data[member];
      const code = typeof value === "number" ? value : codes.get(value);
      return code === undefined || code < 0 || code >= 2 ** bits ? absent : code;
    },
    (raw, data) => {
      const said = (texts as Readonly<Record<number, string>>)[raw];
      if (said !== undefined) data[member] = said;
    },
  );
};

/** Text of six-bit characters, filled up with `@`; a missing text is all `@`. */
export const text = (length: number, member: string): BitField => ({
  bits: 6 * length,
  write(out, data) {
    const value = data[member];
    appendText(out, typeof value === "string" ? value.slice(0, length) : "", length);
  },
  read(from, data) {
    const said = from.text(length);
    if (said !== "") data[member] = said;
  },
});

/**
 * Appends text of a given length; letters become capitals, and other characters without a six-bit code question marks.
 */
export function appendText(out: Bits, value: string, length: number): void {
  const capitals = value.toUpperCase();
  for (let at = 0; at < length; at++) {
    const code = at < capitals.length ? capitals.charCodeAt(at) : 64;
    out.append(code >= 32 && code < 96 ? code % 64 : 63, 6);
  }
}

/** Bits without a meaning. */
export const zeros = (bits: number): BitField =>
  field(
    bits,
    () => 0,
    () => {},
  );
