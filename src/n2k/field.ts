/**
 * The words in which a PGN is written down: what is on the wire, and what it becomes.
 *
 * A definition names its fields in wire order; types are little-endian and follow each other without gaps. A field whose
 * name begins with an underscore stays on the wire. Everything else here is data that `decode.ts`, `json.ts`,
 * `encode.ts`, `schema.ts` and `describe.ts` read, each in its own way.
 */

// ---------------------------------------------------------------------------------------------- wire types

/** How many bits, whether two's complement, and the highest and lowest raw number that is a value and not a code. */
export interface WireType {
  readonly bits: number;
  readonly signed: boolean;
  readonly highest: number;
  readonly lowest: number;
}

/**
 * NMEA 2000 keeps the top codes of a number for "not available", "error" and "reserved": three of 8 bits or more, two of
 * 4 to 7 bits, one of 2 or 3 bits, none of a single bit (as the canboat database 6.2.0 reads them).
 */
const codesAbove = (bits: number): number => (bits >= 8 ? 3 : bits >= 4 ? 2 : bits >= 2 ? 1 : 0);

const unsigned = (bits: number): WireType => ({
  bits,
  signed: false,
  highest: 2 ** bits - 1 - codesAbove(bits),
  lowest: 0,
});

const signed = (bits: number): WireType => ({
  bits,
  signed: true,
  highest: 2 ** (bits - 1) - 1 - codesAbove(bits),
  lowest: -(2 ** (bits - 1) - 1),
});

/** SAE J1939 judges by the top byte: 0xFB and above are codes. */
const j1939 = (bits: number): WireType => ({ bits, signed: false, highest: 0xfb * 2 ** (bits - 8) - 1, lowest: 0 });

export const u1 = unsigned(1);
export const u2 = unsigned(2);
export const u3 = unsigned(3);
export const u4 = unsigned(4);
export const u5 = unsigned(5);
export const u6 = unsigned(6);
export const u7 = unsigned(7);
export const u8 = unsigned(8);
export const u11 = unsigned(11);
export const u16 = unsigned(16);
export const u19 = unsigned(19);
export const u21 = unsigned(21);
export const u24 = unsigned(24);
export const u32 = unsigned(32);
export const s8 = signed(8);
export const s16 = signed(16);
export const s24 = signed(24);
export const s32 = signed(32);
export const s64 = signed(64);
export const j16 = j1939(16);
export const j32 = j1939(32);

/** A number of any other width, for layouts that come from outside this table. */
export const wireType = (bits: number, isSigned: boolean): WireType => (isSigned ? signed(bits) : unsigned(bits));

/** The same bits without any code among them (acceptability, AIS fields with their own rules). */
export const whole = (wire: WireType): WireType => ({
  ...wire,
  highest: wire.signed ? 2 ** (wire.bits - 1) - 1 : 2 ** wire.bits - 1,
});

// ---------------------------------------------------------------------------------------------- scales

/**
 * published = raw x times / per + offset, rounded once, to the last decimal. Dividing by an integer keeps 65 / 100 at
 * 0.65, where 65 x 0.01 is not. Ties go up: 0.1 K on the wire lies half-way between tenths of a degree Celsius, so that
 * 293.2 K (20.05 °C) is published as 20.1 and 253.2 K (-19.95 °C) as -19.9.
 */
export interface Scale {
  readonly times: number;
  readonly per: number;
  readonly offset: number;
  /** Decimals of the published number: the fewest that tell neighbouring raw numbers apart, 0 to 10. */
  readonly decimals: number;
}

/** Conversions from the unit on the wire to the published one. */
export interface Unit {
  readonly name: string;
  readonly times: number;
  readonly per: number;
  readonly offset?: number;
}

export const degrees: Unit = { name: "deg", times: 180, per: Math.PI };
export const degreesPerSecond: Unit = { name: "deg/s", times: 180, per: Math.PI };
export const degreesPerMinute: Unit = { name: "deg/min", times: 180 * 60, per: Math.PI };
export const knots: Unit = { name: "kn", times: 3600, per: 1852 };
export const celsius: Unit = { name: "°C", times: 1, per: 1, offset: -273.15 };
export const kilopascal: Unit = { name: "kPa", times: 1, per: 1000 };
export const nauticalMiles: Unit = { name: "NM", times: 1, per: 1852 };
export const hours: Unit = { name: "h", times: 1, per: 3600 };
export const minutes: Unit = { name: "min", times: 1, per: 60 };

export interface NumberOptions {
  /** Raw numbers per unit on the wire: 100 for a resolution of 0.01. */
  readonly per?: number;
  /** Units on the wire per raw number: 100 for a resolution of 100. */
  readonly times?: number;
  /** Added after scaling, in the unit on the wire. */
  readonly offset?: number;
  /** The published unit: its name, or a conversion from the unit on the wire. */
  readonly unit?: string | Unit;
  /** Published values outside are left out. */
  readonly range?: readonly [number, number];
  /** Fewer decimals than the rule gives, where the document wants an integer. */
  readonly decimals?: number;
  /** Raw number that stands for "not available" where it is not the top code. */
  readonly absent?: number;
  readonly note?: string;
}

const decimalsOf = (step: number): number => Math.min(10, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));

/** A sum such as 273.15 - 200 shows the float's last bit; twelve decimals are more than any resolution here. */
const tidy = (value: number): number => Number(value.toFixed(12));

const scaleOf = ({ per = 1, times = 1, offset = 0, unit, decimals }: NumberOptions): Scale => {
  const conversion = typeof unit === "object" ? unit : { times: 1, per: 1 };
  const scale = { times: times * conversion.times, per: per * conversion.per };
  return {
    ...scale,
    offset: tidy((offset * conversion.times) / conversion.per + (("offset" in conversion && conversion.offset) || 0)),
    decimals: decimals ?? decimalsOf(scale.times / scale.per),
  };
};

const unitName = (unit: string | Unit | undefined): string | undefined => (typeof unit === "object" ? unit.name : unit);

// ---------------------------------------------------------------------------------------------- fields

/** Carries the type of the published value through the table; never there at run time. */
declare const published: unique symbol;
interface Publishes<Value> {
  readonly [published]?: Value;
  /** Remark for the reference. */
  readonly note?: string | undefined;
}

export interface NumberField extends Publishes<number> {
  readonly kind: "number";
  readonly wire: WireType;
  readonly scale: Scale;
  readonly integer: boolean;
  readonly unit?: string | undefined;
  readonly range?: readonly [number, number] | undefined;
  readonly absent?: number | undefined;
  /** What its codes stand for, for the reference. */
  readonly codes?: Choices | undefined;
}

/** A number that the document publishes as a string of decimal digits. */
export interface DigitsField extends Publishes<string> {
  readonly kind: "digits";
  readonly wire: WireType;
}

/** Code to published value; codes that are not listed have none. */
export type Choices<Value extends string | number = string | number> = Readonly<Record<number, Value>>;

export interface ChoiceField<Value extends string | number = string | number> extends Publishes<Value> {
  readonly kind: "choice";
  readonly wire: WireType;
  readonly choices: Choices<Value>;
  /** Published for every other code, "not available" included. */
  readonly otherwise?: Value | undefined;
  readonly unit?: string | undefined;
}

/** One bit: 0 false, 1 true. */
export interface FlagField extends Publishes<boolean> {
  readonly kind: "flag";
  readonly wire: WireType;
}

/** True when the number on the wire is above zero. */
export interface AboveZeroField extends Publishes<boolean> {
  readonly kind: "aboveZero";
  readonly wire: WireType;
}

/** Bytes of two decimal digits each, 0 to 99, published as a string of twice as many digits. */
export interface DigitPairsField extends Publishes<string> {
  readonly kind: "digitPairs";
  readonly bytes: number;
}

/** Text of a fixed number of bytes. */
export interface TextField extends Publishes<string> {
  readonly kind: "text";
  readonly bytes: number;
}

/** Text that brings its length and encoding along (`text.ts`). */
export interface LauTextField extends Publishes<string> {
  readonly kind: "lauText";
}

/** Bytes to the end of the message, published in lower-case hex. */
export interface HexField extends Publishes<string> {
  readonly kind: "hex";
}

export interface SkipField {
  readonly kind: "skip";
  readonly bits: number;
  /** What a sender puts there: reserved bits are ones, spare bits zeros. */
  readonly fill: 0 | 1;
  readonly note?: string | undefined;
}

/** The same wire field once more in another unit. */
export interface AlsoField extends Publishes<number> {
  readonly kind: "also";
  readonly of: string;
  /** The unit it is converted to; without one it is the same number under another name. */
  readonly unit?: Unit | undefined;
}

/** The same code once more through another list. */
export interface AlsoChoiceField<Value extends string | number = string | number> extends Publishes<Value> {
  readonly kind: "alsoChoice";
  readonly of: string;
  readonly choices: Choices<Value>;
}

/** A part of a raw number: raw / per mod modulo, with so many decimals; what is beyond them is cut off. */
export interface PartField extends Publishes<number> {
  readonly kind: "part";
  readonly of: string;
  readonly per: number;
  readonly modulo: number;
  readonly decimals: number;
}

/** Characters (Unicode code points) of a text field of the same message. */
export interface LengthField extends Publishes<number> {
  readonly kind: "length";
  readonly of: string;
}

/** The address that the message came from. */
export interface SourceAddressField extends Publishes<number> {
  readonly kind: "sourceAddress";
}

/** A field of the document that no public layout carries: in the schema, never in a message. */
export interface NeverField<Value> extends Publishes<Value> {
  readonly kind: "never";
  readonly type: "string" | "number" | "integer" | "boolean";
}

/** A group that repeats to the end of the message, or a fixed number of times. */
export interface RepeatField<Group extends Fields = Fields, Entry = unknown> extends Publishes<readonly Entry[]> {
  readonly kind: "repeat";
  readonly group: Group;
  readonly times?: number | undefined;
  /** Each entry begins with its number, from 1, under this name. */
  readonly numbered?: string | undefined;
}

/** One of the groups that repeat to the end: the first whose `by` has the value `is`, else the first. Published flat. */
export interface PickField<Group extends Fields = Fields> {
  readonly kind: "pick";
  readonly group: Group;
  readonly by: string;
  readonly is: number;
  readonly note?: string | undefined;
}

/** Two readings of the same bits, chosen by an earlier field's raw code. Published flat. */
export interface EitherField<Then extends Fields = Fields, Else extends Fields = Fields> {
  readonly kind: "either";
  readonly by: string;
  readonly is: number;
  readonly matching: Then;
  readonly otherwise: Else;
  readonly note?: string | undefined;
}

export type Field =
  | NumberField
  | DigitsField
  | ChoiceField
  | FlagField
  | AboveZeroField
  | DigitPairsField
  | TextField
  | LauTextField
  | HexField
  | SkipField
  | AlsoField
  | AlsoChoiceField
  | PartField
  | LengthField
  | SourceAddressField
  | NeverField<unknown>
  | RepeatField
  | PickField
  | EitherField;

export type Fields = Readonly<Record<string, Field>>;

// ---------------------------------------------------------------------------------------------- verbs

interface Note {
  readonly note?: string;
}

/** A JSON integer. */
export const integer = (wire: WireType, options: NumberOptions = {}): NumberField => ({
  kind: "number",
  wire,
  scale: scaleOf({ ...options, decimals: 0 }),
  integer: true,
  unit: unitName(options.unit),
  range: options.range,
  absent: options.absent,
  note: options.note,
});

/** A JSON number. */
export const decimal = (wire: WireType, options: NumberOptions = {}): NumberField => ({
  kind: "number",
  wire,
  scale: scaleOf(options),
  integer: false,
  unit: unitName(options.unit),
  range: options.range,
  absent: options.absent,
  note: options.note,
});

/** An angle of 0.0001 rad per bit in degrees: 0 to 360 when unsigned, -180 to 180 when signed. */
export const angle = (wire: WireType, options: Note = {}): NumberField =>
  decimal(wire, { per: 1e4, unit: degrees, range: wire.signed ? [-180, 180] : [0, 360], ...options });

/** Latitude or longitude of 1e-7 degrees per bit, or 1e-16 when it has 64 bits. */
const coordinate = (wire: WireType, limit: number): NumberField =>
  decimal(wire, { per: wire.bits === 64 ? 1e16 : 1e7, unit: "deg", range: [-limit, limit] });
export const latitude = (wire: WireType): NumberField => coordinate(wire, 90);
export const longitude = (wire: WireType): NumberField => coordinate(wire, 180);

/** Time of day of 0.0001 s per bit, seconds since midnight; a leap second is a time of day. */
export const timeOfDay = (wire: WireType): NumberField =>
  decimal(wire, { per: 1e4, unit: "s since midnight", range: [0, 86400.9999] });

export const days = (wire: WireType): NumberField => integer(wire, { unit: "days since 1970-01-01" });

/** A number published as a string of digits. */
export const digits = (wire: WireType, options: Note = {}): DigitsField => ({ kind: "digits", wire, ...options });

/** A raw code as a JSON integer: all but the two top codes, unless the list names them. */
export const code = (wire: WireType, choices: Choices = {}, options: Note = {}): NumberField => {
  const highest = Math.max(2 ** wire.bits - 3, ...Object.keys(choices).map(Number));
  return { ...integer({ ...wire, highest }, options), codes: choices };
};

/** The string (or number) that stands for the code. */
export const choice = <const Value extends string | number, const Otherwise extends string | number = never>(
  wire: WireType,
  choices: Choices<Value>,
  options: Note & { readonly otherwise?: Otherwise; readonly unit?: string } = {},
): ChoiceField<Value | Otherwise> => ({ kind: "choice", wire, choices, ...options });

export const flag = (wire: WireType = u1, options: Note = {}): FlagField => ({ kind: "flag", wire, ...options });
export const aboveZero = (wire: WireType, options: Note = {}): AboveZeroField => ({
  kind: "aboveZero",
  wire,
  ...options,
});
export const digitPairs = (bytes: number, options: Note = {}): DigitPairsField => ({
  kind: "digitPairs",
  bytes,
  ...options,
});
export const text = (bytes: number, options: Note = {}): TextField => ({ kind: "text", bytes, ...options });
export const lauText = (options: Note = {}): LauTextField => ({ kind: "lauText", ...options });
export const hex = (options: Note = {}): HexField => ({ kind: "hex", ...options });

/** Reserved bits, or bits that nobody publishes. */
export const skip = (bits: number, options: Note = {}): SkipField => ({ kind: "skip", bits, fill: 1, ...options });
export const spare = (bits: number): SkipField => ({ kind: "skip", bits, fill: 0 });

export const also = (of: string, unit?: Unit): AlsoField => ({ kind: "also", of, unit });
export const alsoChoice = <const Value extends string | number>(
  of: string,
  choices: Choices<Value>,
): AlsoChoiceField<Value> => ({ kind: "alsoChoice", of, choices });
export const part = (of: string, per: number, modulo = Number.POSITIVE_INFINITY, decimals = 0): PartField => ({
  kind: "part",
  of,
  per,
  modulo,
  decimals,
});
export const lengthOf = (of: string): LengthField => ({ kind: "length", of });
export const sourceAddress = (options: Note = {}): SourceAddressField => ({ kind: "sourceAddress", ...options });

type JsonType = { string: string; number: number; integer: number; boolean: boolean };
export const never = <Type extends keyof JsonType>(type: Type, note: string): NeverField<JsonType[Type]> => ({
  kind: "never",
  type,
  note,
});

export const repeat = <const Group extends Fields, const Name extends string = never>(
  group: Group,
  options: { readonly times?: number; readonly numbered?: Name } & Note = {},
): RepeatField<Group, Simplify<{ readonly [Key in Name]: number } & Members<Group>>> => ({
  kind: "repeat",
  group,
  times: options.times,
  numbered: options.numbered,
  note: options.note,
});

export const pick = <const Group extends Fields>(
  group: Group,
  by: keyof Group & string,
  is: number,
): PickField<Group> => ({
  kind: "pick",
  group,
  by,
  is,
});

export const either = <const Then extends Fields, const Else extends Fields>(
  by: string,
  is: number,
  branches: { readonly matching: Then; readonly otherwise: Else },
): EitherField<Then, Else> => ({ kind: "either", by, is, ...branches });

// ---------------------------------------------------------------------------------------------- definitions

/** Where a layout is known from: public material, or assumed here, or given by the operator of the boat. */
export type Origin = "nmea2000" | "j1939" | "assumed" | "operator";

export interface Definition<Pgn extends number = number, All extends Fields = Fields> {
  readonly pgn: Pgn;
  readonly title: string;
  readonly fields: All;
  readonly transport: "single" | "fast" | "isoTp";
  readonly origin: Origin;
  /** Names of the published fields in the document's order, where that is not the order of the wire. */
  readonly order?: readonly string[] | undefined;
  /** The public title, where the document's is another. */
  readonly publicTitle?: string | undefined;
  /** The document names only `pgn`; the fields are those of the public layout. */
  readonly beyondDocument?: boolean | undefined;
  /** Bytes of a single frame that is not filled up to eight. */
  readonly bytes?: number | undefined;
  readonly note?: string | undefined;
}

export interface DefinitionOptions<Name extends string = string> {
  readonly transport?: "single" | "fast" | "isoTp";
  readonly origin?: Origin;
  readonly order?: readonly Name[];
  readonly publicTitle?: string;
  readonly beyondDocument?: boolean;
  readonly bytes?: number;
  readonly note?: string;
}

/** Writes down a PGN. Without a transport it is a fast packet if its fields need more than 8 bytes. */
export const pgn = <const Pgn extends number, const All extends Fields>(
  number: Pgn,
  title: string,
  fields: All,
  { transport, origin = "nmea2000", ...options }: DefinitionOptions<keyof All & string> = {},
): Definition<Pgn, All> => ({
  pgn: number,
  title,
  fields,
  transport: transport ?? (minimumBits(fields) > 64 ? "fast" : "single"),
  origin,
  ...options,
});

/** Bits of a field that is always as long; undefined where the message decides. */
export const bitsOf = (field: Field): number | undefined => {
  switch (field.kind) {
    case "number":
    case "digits":
    case "choice":
    case "flag":
    case "aboveZero":
      return field.wire.bits;
    case "text":
    case "digitPairs":
      return field.bytes * 8;
    case "skip":
      return field.bits;
    case "repeat":
      return field.times === undefined ? undefined : field.times * minimumBits(field.group);
    case "either":
      return minimumBits(field.matching);
    case "lauText":
    case "hex":
    case "pick":
      return undefined;
    default:
      return 0;
  }
};

/** Bits of a message without its parts of variable length. */
export const minimumBits = (fields: Fields): number =>
  Object.values(fields).reduce((sum, field) => sum + (bitsOf(field) ?? (field.kind === "lauText" ? 16 : 0)), 0);

export const isPublished = (name: string): boolean => !name.startsWith("_");

// ---------------------------------------------------------------------------------------------- message types

type Simplify<Type> = { [Key in keyof Type]: Type[Key] } & {};
type UnionToIntersection<Union> = (Union extends unknown ? (value: Union) => void : never) extends (
  value: infer Intersection,
) => void
  ? Intersection
  : never;

type ValueOf<One> = One extends { readonly [published]?: infer Value } ? Exclude<Value, undefined> : never;

/** Names that stay on the wire. */
type Hidden = `_${string}`;

/** What the fields that are published flat bring along. */
type FlatMembers<All extends Fields, Left> = {
  [Key in keyof All]: All[Key] extends PickField<infer Group>
    ? Members<Group, Left>
    : All[Key] extends EitherField<infer Then, infer Else>
      ? Members<Then, Left> & Members<Else, Left>
      : never;
}[keyof All];

/** Published values by name, without the names that are `Left` out. */
type Members<All extends Fields, Left = Hidden> = {
  readonly [Key in keyof All as Key extends Left
    ? never
    : All[Key] extends SkipField | PickField | EitherField
      ? never
      : Key]?: ValueOf<All[Key]>;
} & UnionToIntersection<FlatMembers<All, Left>>;

/** `data` of a message of this definition, inferred. */
export type Message<One extends Definition> = Simplify<{ readonly pgn: One["pgn"] } & Members<One["fields"]>>;

/** The same with the values that stay on the wire, under their names with the underscore. */
export type WholeMessage<One extends Definition> = Simplify<
  { readonly pgn: One["pgn"] } & Members<One["fields"], never>
>;
