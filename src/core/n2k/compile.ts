/**
 * Compiles a definition: generates the source of a function that reads the payload in the bytes `b` from `at` to `end`,
 * without copying it, and makes the function by `new Function`.
 *
 * Offsets, masks, limits and factors are constants of the source, so that a field costs a comparison and an addition
 * per message. A `Sink` generates the statements that use the values: for an object (`decode.ts`) or JSON text
 * (`json.ts`). Node, Deno and Bun allow `new Function`; an edge worker does not.
 */

import type { Definition } from "./definition.ts";
import {
  type BitsField,
  bitsOf,
  type ChoiceField,
  type Choices,
  type DigitsField,
  type EitherField,
  type Field,
  type Fields,
  isPublished,
  type JoinedField,
  type KeyedField,
  type NumberField,
  type PartField,
  type PickField,
  type RepeatField,
  type TextField,
} from "./field.ts";
import { readBits, readFloat, readUnsigned64 } from "./raw-numbers.ts";
import { alsoNumber, rawLimits, scaling } from "./scaling.ts";
import {
  lauTextEnd,
  lzTextEnd,
  readBytes,
  readDigitPairs,
  readHex,
  readLauText,
  readLzText,
  readText,
} from "./text.ts";
import type { WireType } from "./wire.ts";

/** Generates the statements that put a value under a key in `target`. Expressions are source text. */
export interface Sink {
  /** The function's parameters; among them `b`, `at`, `end`, `source`. */
  readonly parameters: string;
  /** Functions that the statements call, by name. */
  readonly tools: Readonly<Record<string, unknown>>;
  /** The body of the function, given the statements for all fields, whose target is `out`. */
  message(pgn: number, body: string): string;
  /** Numbers are not rounded to their last decimal: for calculations, whose results are rounded. */
  readonly exact?: true;
  /** `scaled` is the number times 10^decimals, possibly -0; an integer unless the sink is exact. */
  number(target: string, key: string, scaled: string, decimals: number): string;
  boolean(target: string, key: string, condition: string): string;
  /** `text` is an expression whose value is not empty. */
  text(target: string, key: string, text: string): string;
  /** Values by code; `undefined` for a code without one. */
  choice(target: string, key: string, values: readonly (string | number | undefined)[], code: string): string;
  /** Like `text`, for an expression whose value may be undefined. */
  maybeText(target: string, key: string, text: string): string;
  /** `list` is an expression that gives strings, or undefined. */
  texts(target: string, key: string, list: string): string;
  /** Begins a list, whose entries follow until `endList`; `list` and `entry` are unique names of variables. */
  beginList(list: string, key: string): string;
  /** Puts `list` under `key` if it has entries. */
  endList(target: string, key: string, list: string): string;
  /** Begins an entry, whose members follow until `endEntry`; `number` is the entry's own key and number. */
  beginEntry(entry: string, number?: { readonly key: string; readonly value: string }): string;
  /** Appends `entry` to `list` if it has members. */
  endEntry(list: string, entry: string, number?: { readonly key: string; readonly value: string }): string;
}

/** Makes a value available to the source, under the name that is returned. */
export type Constant = (value: unknown) => string;

/** A field and its position: `bit` bits after `base`, the name of a variable that holds a byte position. */
interface Place {
  readonly name: string;
  readonly field: Field;
  readonly base: string;
  readonly bit: number;
}

type Places = ReadonlyMap<string, Place>;

class Writer {
  readonly #sink: Sink;
  readonly #constants: unknown[] = [];
  #variables = 0;

  constructor(sinkOf: (constant: Constant) => Sink) {
    this.#sink = sinkOf((value) => this.constant(value));
  }

  constant(value: unknown): string {
    this.#constants.push(value);
    return `k${this.#constants.length - 1}`;
  }

  variable(): string {
    return `v${this.#variables++}`;
  }

  function<Function>({ pgn, fields, order }: Definition): Function {
    const body = this.#sink.message(pgn, this.message(fields, order, "out", "at"));
    const tools = {
      readText,
      readLauText,
      lauTextEnd,
      readLzText,
      lzTextEnd,
      readHex,
      readBytes,
      readDigitPairs,
      readFloat,
      readUnsigned64,
      readBits,
      ...this.#sink.tools,
    };
    const names = this.#constants.map((_, index) => `k${index}`);
    const make = new Function(
      ...Object.keys(tools),
      ...names,
      `"use strict"; return (${this.#sink.parameters}) => {\nlet r = 0;\n${body}\n};`,
    );
    return make(...Object.values(tools), ...this.#constants);
  }

  /** The positions of the fields after `base`, and the statements that find variable positions. */
  place(fields: Fields, base: string, bit = 0): { places: Place[]; prologue: string; base: string; bit: number } {
    const places: Place[] = [];
    let prologue = "";
    for (const [name, field] of Object.entries(fields)) {
      places.push({ name, field, base, bit });
      const bits = bitsOf(field);
      if (bits !== undefined) bit += bits;
      else if (field.kind === "lauText" || field.kind === "lzText" || field.kind === "keyed") {
        const next = this.variable();
        const from = add(base, bit / 8);
        const behind = field.kind === "keyed" ? keyedEnd(field, places, from) : `${field.kind}End(b, ${from}, end)`;
        prologue += `const ${next} = ${behind};\n`;
        base = next;
        bit = 0;
      }
      // No field follows one that extends to the end of the message.
    }
    return { places, prologue, base, bit };
  }

  /** Statements for all published fields, in the document's order. */
  message(fields: Fields, order: readonly string[] | undefined, target: string, base: string, bit = 0): string {
    const { places, prologue } = this.place(fields, base, bit);
    const byName = new Map(places.map((place) => [place.name, place]));
    const sorted = order === undefined ? places : order.map((name) => byName.get(name)!);
    return prologue + sorted.map((place) => this.field(place, byName, target)).join("");
  }

  /** Statements for one field: those that choose among layouts, and those that publish a value. */
  field(place: Place, byName: Places, target: string): string {
    const { name, field, base, bit } = place;
    switch (field.kind) {
      case "pick":
        return this.pick(field, target, add(base, bit / 8));
      case "either":
        return this.either(field, place, byName, target);
      case "keyed":
        return this.keyed(field, target, byName, base, bit);
      default:
        return isPublished(name) ? this.published(place, byName, target) : "";
    }
  }

  published({ name, field, base, bit }: Place, byName: Places, target: string): string {
    const sink = this.#sink;
    const from = (): string => add(base, bit / 8);
    switch (field.kind) {
      case "number":
        return this.number(target, name, field, base, bit);
      case "digits":
        return this.digits(target, name, field, base, bit);
      case "bits":
        return this.bits(target, name, field, base, bit);
      case "constant":
        return `${sink.text(target, name, JSON.stringify(field.value))}\n`;
      case "choice":
        return this.choice(target, name, field, base, bit);
      case "alsoChoice": {
        const of = byName.get(field.of)!;
        if (of.field.kind === "joined") return this.joinedChoice(target, name, field.choices, of.field, byName);
        const choice: ChoiceField = { kind: "choice", wire: wireOf(of.field), choices: field.choices };
        return this.narrowChoice(target, name, choice, of.base, of.bit);
      }
      case "also": {
        const of = byName.get(field.of)!;
        const number = of.field as NumberField;
        return this.number(target, name, alsoNumber(number, field), of.base, of.bit, rawLimits(number));
      }
      case "part":
        return this.part(target, name, field, byName.get(field.of)!);
      case "joined": {
        const { condition, value } = joined(field, byName);
        return `if (${condition}) ${sink.number(target, name, value, 0)}\n`;
      }
      case "flag":
        return `if (${has(base, bit, field.wire.bits)}) ${sink.boolean(target, name, `(${raw(base, bit, field.wire)}) === 1`)}\n`;
      case "aboveZero":
        return `if (${inRange(field.wire, base, bit)}) ${sink.boolean(target, name, "r > 0")}\n`;
      case "digitPairs": {
        const read = `readDigitPairs(b, ${from()}, ${field.bytes})`;
        return this.text(target, name, read, has(base, bit, field.bytes * 8));
      }
      case "text":
        return this.fixedText(target, name, field, base, bit);
      case "lauText":
        return this.text(target, name, `readLauText(b, ${from()}, end)`, "true");
      case "lzText":
        return this.text(target, name, `readLzText(b, ${from()}, end)`, "true");
      case "hex": {
        const { bytes } = field;
        const all = `readHex(b, ${from()}, end)`;
        const some = (count: number) => `readBytes(b, ${from()}, Math.min(end, ${add(base, bit / 8 + count)}))`;
        return this.text(target, name, bytes === undefined ? all : some(bytes), "true");
      }
      case "length":
        return this.length(target, name, byName.get(field.of)!);
      case "sourceAddress":
        return `${sink.number(target, name, "source", 0)}\n`;
      case "repeat":
        return this.repeat(field, target, name, base, bit, byName);
      default:
        return "";
    }
  }

  either(field: EitherField, { base, bit }: Place, byName: Places, target: string): string {
    const by = byName.get(field.by)!;
    const wire = wireOf(by.field);
    const matching = this.message(field.matching, undefined, target, base, bit);
    const otherwise = this.message(field.otherwise, undefined, target, base, bit);
    return `if (${has(by.base, by.bit, wire.bits)} && (${raw(by.base, by.bit, wire)}) === ${field.is}) {\n${matching}} else {\n${otherwise}}\n`;
  }

  digits(target: string, name: string, { wire }: DigitsField, base: string, bit: number): string {
    const sink = this.#sink;
    if (wire.bits === 64)
      return `if (${has(base, bit, 64)}) ${sink.maybeText(target, name, `readUnsigned64(b, ${add(base, bit / 8)})`)}\n`;
    const valid = `${has(base, bit, wire.bits)} && (r = ${raw(base, bit, wire)}) <= ${wire.highest}`;
    return `if (${valid}) ${sink.text(target, name, '("" + r)')}\n`;
  }

  bits(target: string, name: string, { wire, names }: BitsField, base: string, bit: number): string {
    const list = Array.from({ length: wire.bits }, (_, each) => names[each] ?? `bit ${each}`);
    const value = `readBits(b, ${add(base, Math.floor(bit / 8))}, ${bit % 8}, ${this.constant(list)})`;
    return `if (${has(base, bit, wire.bits)}) ${this.#sink.texts(target, name, value)}\n`;
  }

  choice(target: string, name: string, field: ChoiceField, base: string, bit: number): string {
    const { wire } = field;
    if (wire.bits <= 8) return this.narrowChoice(target, name, field, base, bit);
    const value = `${this.constant(wideChoice(field))}(${raw(base, bit, wire)})`;
    return `if (${has(base, bit, wire.bits)}) ${this.#sink.maybeText(target, name, value)}\n`;
  }

  narrowChoice(target: string, name: string, field: ChoiceField, base: string, bit: number): string {
    const { wire } = field;
    return `if (${has(base, bit, wire.bits)}) ${this.#sink.choice(target, name, codes(field), raw(base, bit, wire))}\n`;
  }

  joinedChoice(target: string, name: string, choices: Choices, of: JoinedField, byName: Places): string {
    const { condition, value } = joined(of, byName);
    const texts = this.constant(new Map(Object.entries(choices).map(([code, text]) => [Number(code), text])));
    return `if (${condition}) ${this.#sink.maybeText(target, name, `${texts}.get(${value})`)}\n`;
  }

  part(target: string, name: string, field: PartField, of: Place): string {
    const power = 10 ** field.decimals;
    const parts = field.per === power ? "r" : `Math.floor(r / ${field.per / power})`;
    const value = field.modulo === Number.POSITIVE_INFINITY ? parts : `${parts} % ${field.modulo * power}`;
    return `if (${this.valid(of.field as NumberField, of.base, of.bit)}) ${this.#sink.number(target, name, value, field.decimals)}\n`;
  }

  fixedText(target: string, name: string, { bytes, partial }: TextField, base: string, bit: number): string {
    const from = add(base, bit / 8);
    return partial
      ? this.text(target, name, `readText(b, ${from}, Math.min(${bytes}, end - (${from})))`, has(base, bit, 8))
      : this.text(target, name, `readText(b, ${from}, ${bytes})`, has(base, bit, bytes * 8));
  }

  length(target: string, name: string, of: Place): string {
    const text = this.variable();
    return `const ${text} = readLauText(b, ${add(of.base, of.bit / 8)}, end);\nif (${text} !== "") ${this.#sink.number(target, name, `[...${text}].length`, 0)}\n`;
  }

  valid(
    field: Pick<NumberField, "wire" | "scale" | "range">,
    base: string,
    bit: number,
    limits = rawLimits(field),
  ): string {
    const [low, high] = limits;
    const { wire } = field;
    const tests = [has(base, bit, wire.bits), `(r = ${raw(base, bit, wire)}) <= ${high}`];
    if (wire.signed || low > 0) tests.push(`r >= ${low}`);
    return tests.join(" && ");
  }

  number(
    target: string,
    name: string,
    field: NumberField,
    base: string,
    bit: number,
    limits = rawLimits(field),
  ): string {
    const { factor, divisor, addend } = scaling(field.scale);
    const product = divisor !== 1 ? `r / ${divisor}` : factor !== 1 ? `r * ${factor}` : "r";
    const sum = addend === 0 ? product : `${product} ${addend < 0 ? "-" : "+"} ${Math.abs(addend)}`;
    const isExact = divisor === 1 && Number.isInteger(factor) && Number.isInteger(addend) && !field.wire.float;
    const scaled = isExact || this.#sink.exact ? sum : `Math.round(${sum})`;
    return `if (${this.valid(field, base, bit, limits)}) ${this.#sink.number(target, name, scaled, field.scale.decimals)}\n`;
  }

  text(target: string, name: string, read: string, condition: string): string {
    const text = this.variable();
    return `const ${text} = ${condition} ? ${read} : "";\nif (${text} !== "") ${this.#sink.text(target, name, text)}\n`;
  }

  keyed(field: KeyedField, target: string, byName: Places, base: string, bit: number): string {
    const by = byName.get(field.by)!;
    const wire = wireOf(by.field);
    const all = (fields: Fields): string => this.message(fields, undefined, target, base, bit);
    const cases = Object.entries(field.cases).map(([code, fields]) => `case ${code}: {\n${all(fields)}break;\n}\n`);
    const body = `switch (${raw(by.base, by.bit, wire)}) {\n${cases.join("")}default: {\n${all(field.otherwise)}}\n}\n`;
    const stop = this.variable();
    const behind = keyedEnd(field, [...byName.values()], add(base, bit / 8));
    return `const ${stop} = Math.min(end, ${behind});\nif (${has(by.base, by.bit, wire.bits)}) {\nconst end = ${stop};\n${body}}\n`;
  }

  repeat(field: RepeatField, target: string, name: string, base: string, bit: number, byName: Places): string {
    const sink = this.#sink;
    const list = this.variable();
    const begin = `${sink.beginList(list, name)}\n`;
    const finish = `${sink.endList(target, name, list)}\n`;
    const entry = (position: string, entryBit: number, number: string): string => {
      const item = this.variable();
      const own = field.numbered === undefined ? undefined : { key: field.numbered, value: number };
      const body = this.message(field.group, undefined, item, position, entryBit);
      return `{\n${sink.beginEntry(item, own)}${body}${sink.endEntry(list, item, own)}\n}\n`;
    };
    if (field.times !== undefined) {
      // A fixed number of groups is unrolled, because groups smaller than a byte have no byte position.
      const groupBits = (bitsOf(field) ?? 0) / field.times;
      const entries = Array.from({ length: field.times }, (_, index) =>
        entry(base, bit + index * groupBits, `${index + 1}`),
      );
      return begin + entries.join("") + finish;
    }
    const position = this.variable();
    const count = this.variable();
    const limit = field.count === undefined ? "" : this.limit(byName.get(field.count)!, count);
    return `${begin}let ${count} = 0;\nfor (let ${position} = ${add(base, bit / 8)}; ${position} < end${limit}; ) {\n${count}++;\n${entry(position, 0, count)}${this.advance(field.group, position)}}\n${finish}`;
  }

  /** Condition that there is another entry; without a number of entries they continue to the end. */
  limit({ field, base, bit }: Place, count: string): string {
    const { wire } = field as NumberField;
    return ` && !(${has(base, bit, wire.bits)} && (r = ${raw(base, bit, wire)}) <= ${wire.highest} && ${count} >= r)`;
  }

  /** Moves `position` past one group. */
  advance(group: Fields, position: string): string {
    const { prologue, base, bit } = this.place(group, position);
    return `{\n${prologue}${position} = ${add(base, Math.ceil(bit / 8))};\n}\n`;
  }

  pick(field: PickField, target: string, first: string): string {
    const chosen = this.variable();
    const position = this.variable();
    const { places } = this.place(field.group, position);
    const by = places.find((place) => place.name === field.by)!;
    const wire = wireOf(by.field);
    const bytes = Math.ceil(places.reduce((sum, place) => sum + (bitsOf(place.field) ?? 0), 0) / 8);
    const isIt = `${has(position, by.bit, wire.bits)} && (${raw(position, by.bit, wire)}) === ${field.is}`;
    return `let ${chosen} = ${first};\nfor (let ${position} = ${chosen}; ${position} < end; ${position} += ${bytes}) if (${isIt}) { ${chosen} = ${position}; break; }\n${this.message(field.group, undefined, target, chosen)}`;
  }
}

const wireOf = (field: Field): WireType => {
  if ("wire" in field) return field.wire;
  throw new TypeError(`a ${field.kind} has no wire type`);
};

/** The digits of a code without a text, if the list may lack some; the code of all ones is "not available". */
const digitsOf = ({ wire, open, without = [] }: ChoiceField, code: number): string | undefined => {
  const isCode = open && (code < 2 ** wire.bits - 1 || wire.bits === 1) && !without.includes(code);
  return isCode ? String(code) : undefined;
};

/** Value by code, for all codes of up to 8 bits. */
const codes = (field: ChoiceField) =>
  Array.from(
    { length: 2 ** field.wire.bits },
    (_, code) => field.choices[code] ?? field.otherwise ?? digitsOf(field, code),
  );

/** The same as a function, for more than 8 bits, because a list of all codes would be too long. */
const wideChoice = (field: ChoiceField): ((code: number) => string | undefined) => {
  const texts = new Map(Object.entries(field.choices).map(([code, text]) => [Number(code), String(text)]));
  return (code) => texts.get(code) ?? (field.otherwise as string | undefined) ?? digitsOf(field, code);
};

/** Position after a value with a key, beyond every message if its length is not known. */
function keyedEnd({ length }: KeyedField, places: readonly Place[], from: string): string {
  const by = places.find(({ name }) => name === length);
  if (by === undefined) return "end";
  const wire = wireOf(by.field);
  return `${from} + (${has(by.base, by.bit, wire.bits)} ? ${raw(by.base, by.bit, wire)} : end)`;
}

const add = (base: string, bytes: number): string => (bytes === 0 ? base : `${base} + ${bytes}`);

/** Condition that `bits` bits at `bit` are within the message. */
const has = (base: string, bit: number, bits: number): string => `end - ${base} >= ${Math.ceil((bit + bits) / 8)}`;

/** Expressions for a joined number, and that all its parts are within the message. */
function joined({ of }: JoinedField, byName: Places): { readonly condition: string; readonly value: string } {
  const parts = of.map((name) => byName.get(name)!);
  let shift = 0;
  const terms = parts.map(({ field, base, bit }) => {
    const wire = wireOf(field);
    const term = `(${raw(base, bit, wire)}) * ${2 ** shift}`;
    shift += wire.bits;
    return term;
  });
  const conditions = parts.map(({ field, base, bit }) => has(base, bit, wireOf(field).bits));
  return { condition: conditions.join(" && "), value: terms.join(" + ") };
}

/** Condition that the raw number, kept in `r`, is in the message and within the limits of its type. */
const inRange = (wire: WireType, base: string, bit: number): string =>
  `${has(base, bit, wire.bits)} && (r = ${raw(base, bit, wire)}) <= ${wire.highest} && r >= ${wire.lowest}`;

/** Expression for the raw number: little-endian bytes combined, shifted, and masked or sign-extended. */
function raw(base: string, bit: number, { bits, signed, float }: WireType): string {
  const first = Math.floor(bit / 8);
  const shift = bit % 8;
  const byte = (index: number): string => `b[${add(base, first + index)}]`;
  const bytes = (from: number, count: number): string =>
    Array.from({ length: count }, (_, index) =>
      index === 0 ? byte(from) : `${byte(from + index)} << ${8 * index}`,
    ).join(" | ");
  if (float) return `readFloat(b, ${add(base, first)})`;
  if (shift === 0 && bits > 32 && bits % 8 === 0 && (bits === 64 || !signed)) {
    const high = `(${bytes(4, bits / 8 - 4)})`;
    return `${signed || bits < 64 ? high : `(${high} >>> 0)`} * 4294967296 + ((${bytes(0, 4)}) >>> 0)`;
  }
  if (shift === 0 && bits === 32) return signed ? bytes(0, 4) : `(${bytes(0, 4)}) >>> 0`;
  if (shift + bits > 32) throw new RangeError(`${bits} bits at bit ${bit} are not readable`);
  const all = bytes(0, Math.ceil((shift + bits) / 8));
  if (signed) return `(${all}) << ${32 - shift - bits} >> ${32 - bits}`;
  if (shift === 0 && bits % 8 === 0) return all;
  return shift === 0 ? `(${all}) & ${2 ** bits - 1}` : `(${all}) >> ${shift} & ${2 ** bits - 1}`;
}

/** Compiles the function that reads payloads of this definition into the sink. */
export function compile<Function>(definition: Definition, sinkOf: (constant: Constant) => Sink): Function {
  return new Writer(sinkOf).function(definition);
}
