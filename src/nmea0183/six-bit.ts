/**
 * The language of AIS messages on the radio (ITU-R M.1371) and in `!AIVDM` (IEC 61162-1): fields of bits in their
 * order, six bits to a character.
 *
 *     000000 ... 100111   0 to W       101000 ... 111111   ` to w
 */

/** Fields of a message of hub-cand, by name. */
export type AisData = Readonly<Record<string, unknown>>;

/** Bits of one field. */
export interface BitField {
  readonly bits: number;
  write(out: Bits, data: AisData): void;
}

export class Bits {
  readonly #characters: number[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Appends the lowest `count` bits of an integer, the highest of them first; negative ones in two's complement. */
  append(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit--) {
      const at = Math.floor(this.#length / 6);
      const one = Math.floor(value / 2 ** bit) & 1;
      this.#characters[at] = (this.#characters[at] ?? 0) | (one << (5 - (this.#length % 6)));
      this.#length += 1;
    }
  }

  /** The characters, and the number of bits of the last one that are not part of the message. */
  armoured(): { readonly payload: string; readonly fillBits: number } {
    const codes = this.#characters.map((value) => value + (value < 40 ? 48 : 56));
    return { payload: String.fromCharCode(...codes), fillBits: codes.length * 6 - this.#length };
  }
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

const field = (bits: number, value: (data: AisData) => number): BitField => ({
  bits,
  write: (out, data) => out.append(value(data), bits),
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
  return field(bits, (data) => {
    const value = numberOf(data[member]);
    if (value === undefined) return absent;
    const steps = Math.round(Number((value * times).toPrecision(12)));
    return Math.max(min, Math.min(max, steps === turn ? 0 : steps));
  });
};

/** A computed number. */
export const computed = (bits: number, compute: (data: AisData) => number): BitField => field(bits, compute);

/** A flag: true, or the second of two choices. */
export const flag = (member: string, isSet: unknown = true, absent = 0): BitField =>
  field(1, (data) => (data[member] === undefined ? absent : data[member] === isSet ? 1 : 0));

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
  return field(bits, (data) => {
    const value = data[member];
    const code = typeof value === "number" ? value : codes.get(value);
    return code === undefined || code < 0 || code >= 2 ** bits ? absent : code;
  });
};

/** Text of six-bit characters, filled up with `@`; a missing text is all `@`. */
export const text = (length: number, member: string): BitField => ({
  bits: 6 * length,
  write(out, data) {
    const value = data[member];
    appendText(out, typeof value === "string" ? value.slice(0, length) : "", length);
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

export const zeros = (bits: number): BitField => field(bits, () => 0);
