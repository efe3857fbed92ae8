/**
 * The vocabulary of PGN definitions: the kinds of fields. A field says what is on the wire (`wire.ts`), in which unit
 * it is published (`units.ts`), and what it means; `verbs.ts` makes it.
 *
 * A definition lists its fields in wire order; wire types are little-endian and follow each other without gaps. A field
 * whose name begins with an underscore is not published.
 */
import type { Scale, Unit } from "./units.ts";
import type { WireType } from "./wire.ts";

/**
 * The quantity of a number whose unit alone does not tell it. A `direction` begins anew after 360 degrees. A `deflection` is an angle around a zero position, which
 * does not wrap as a direction does, so that its mean is meaningful. A `total` counts up until it is reset.
 */
export type Quantity =
  | "coordinate"
  | "count"
  | "deflection"
  | "direction"
  | "humidity"
  | "powerFactor"
  | "stateOfCharge"
  | "total"
  | "windSpeed";

/** The marks of a field; each is a function of `verbs.ts`, which says what it means. */
export type Mark = "key" | "instance" | "everyday" | "counter" | "clock" | "statesNothing";

interface AnyField extends Readonly<Partial<Record<Mark, true>>> {
  /** Remark for the reference. */
  readonly note?: string | undefined;
}

/** Carries the type of the published value through the table; does not exist at run time. */
declare const published: unique symbol;
interface Publishes<Value> extends AnyField {
  readonly [published]?: Value;
}

export interface NumberField extends Publishes<number> {
  readonly kind: "number";
  readonly wire: WireType;
  readonly scale: Scale;
  readonly integer: boolean;
  readonly unit?: string | undefined;
  readonly range?: readonly [number, number] | undefined;
  readonly absent?: number | undefined;
  readonly quantity?: Quantity | undefined;
  readonly label?: string | undefined;
  /** Meanings of its codes, for the reference. */
  readonly codes?: Choices | undefined;
  /** Names of its bits, the lowest first. */
  readonly bits?: readonly string[] | undefined;
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
  /** Every other code except that of all ones is published as a string of digits: the list may be incomplete. */
  readonly open?: true | undefined;
  /** Codes that nevertheless have no value. */
  readonly without?: readonly number[] | undefined;
}

/** Bits that are published as a list of the names of those that are set; undefined when all are. */
export interface BitsField extends Publishes<readonly string[]> {
  readonly kind: "bits";
  readonly wire: WireType;
  /** Names by the number of the bit, from 0. */
  readonly names: Choices<string>;
}

/** A text that all messages of the definition have. */
export interface ConstantField extends Publishes<string> {
  readonly kind: "constant";
  readonly value: string;
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
  /** Senders may leave out bytes at its end. */
  readonly partial?: true;
}

/** Text preceded by its length and encoding (`text.ts`). */
export interface LauTextField extends Publishes<string> {
  readonly kind: "lauText";
}

/** Text preceded by the number of its bytes. */
export interface LzTextField extends Publishes<string> {
  readonly kind: "lzText";
}

/** Bytes published in lower-case hex: a fixed number, or all to the end. All ones are no value. */
export interface HexField extends Publishes<string> {
  readonly kind: "hex";
  readonly bytes?: number | undefined;
}

export interface SkipField extends AnyField {
  readonly kind: "skip";
  readonly bits: number;
  /** Bits that a sender puts there. */
  readonly fill: 0 | 1;
  /** The bits have no meaning. */
  readonly reserved: boolean;
}

/** Another field's number in another unit; takes no bits of its own. */
export interface AlsoField extends Publishes<number> {
  readonly kind: "also";
  readonly of: string;
  /** The unit to convert to; without one it is the same number under another name. */
  readonly unit?: Unit | undefined;
}

/** Another field's code through another list; takes no bits of its own. */
export interface AlsoChoiceField<Value extends string | number = string | number> extends Publishes<Value> {
  readonly kind: "alsoChoice";
  readonly of: string;
  readonly choices: Choices<Value>;
}

/** A part of another field's raw number: raw / per mod modulo, truncated to `decimals`. */
export interface PartField extends Publishes<number> {
  readonly kind: "part";
  readonly of: string;
  readonly per: number;
  readonly modulo: number;
  readonly decimals: number;
}

/** A number whose bits are those of other fields, the lowest first; takes no bits of its own. */
export interface JoinedField extends Publishes<number> {
  readonly kind: "joined";
  readonly of: readonly string[];
}

/** Length of a text field of the same message, in characters (Unicode code points). */
export interface LengthField extends Publishes<number> {
  readonly kind: "length";
  readonly of: string;
}

export interface SourceAddressField extends Publishes<number> {
  readonly kind: "sourceAddress";
}

/** A field of the document that no public layout has: in the schema, never in a message. */
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
  /** Number of entries: an earlier field. Without a value for it they go on to the end. */
  readonly count?: string | undefined;
}

/**
 * One of the groups that repeat to the end of the message: the first whose `by` has the value `is`, or else the first.
 * Its fields are published as members of the message.
 */
export interface PickField<Group extends Fields = Fields> extends AnyField {
  readonly kind: "pick";
  readonly group: Group;
  readonly by: string;
  readonly is: number;
}

/**
 * Two layouts of the same bits, chosen by an earlier field's raw code. Their fields are published as members of the
 * message.
 */
export interface EitherField<Then extends Fields = Fields, Else extends Fields = Fields> extends AnyField {
  readonly kind: "either";
  readonly by: string;
  readonly is: number;
  readonly matching: Then;
  readonly otherwise: Else;
}

/**
 * A value whose layout an earlier field's raw code chooses. Another field has its number of bytes; without one it
 * extends to the end. It is published as a member of the message, or of its entry in a list.
 */
export interface KeyedField<Cases extends Readonly<Record<number, Fields>> = Readonly<Record<number, Fields>>>
  extends AnyField {
  readonly kind: "keyed";
  readonly by: string;
  readonly length?: string | undefined;
  readonly cases: Cases;
  /** The layout of a code that has none of its own. */
  readonly otherwise: Fields;
}

export type Field =
  | NumberField
  | DigitsField
  | ChoiceField
  | BitsField
  | ConstantField
  | LzTextField
  | KeyedField
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
  | JoinedField
  | LengthField
  | SourceAddressField
  | NeverField<unknown>
  | RepeatField
  | PickField
  | EitherField;

export type Fields = Readonly<Record<string, Field>>;

export type Simplify<Type> = { [Key in keyof Type]: Type[Key] } & {};
type UnionToIntersection<Union> = (Union extends unknown ? (value: Union) => void : never) extends (
  value: infer Intersection,
) => void
  ? Intersection
  : never;

type ValueOf<One> = One extends { readonly [published]?: infer Value } ? Exclude<Value, undefined> : never;

/** Names that are not published. */
type Hidden = `_${string}`;

/** Members of the fields that are published flat. */
type FlatMembers<All extends Fields> = {
  [Key in keyof All]: All[Key] extends PickField<infer Group>
    ? Members<Group>
    : All[Key] extends EitherField<infer Then, infer Else>
      ? Members<Then> & Members<Else>
      : never;
}[keyof All];

/** Published values by name. */
export type Members<All extends Fields> = {
  readonly [Key in keyof All as Key extends Hidden
    ? never
    : All[Key] extends SkipField | PickField | EitherField | KeyedField
      ? never
      : Key]?: ValueOf<All[Key]>;
} & UnionToIntersection<FlatMembers<All>>;

/** Width of a field in bits; undefined if it differs between messages. */
export const bitsOf = (field: Field): number | undefined => {
  switch (field.kind) {
    case "number":
    case "digits":
    case "choice":
    case "bits":
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
    case "hex":
      return field.bytes === undefined ? undefined : field.bytes * 8;
    case "lauText":
    case "lzText":
    case "keyed":
    case "pick":
      return undefined;
    default:
      return 0;
  }
};

/** Bits of an empty text with its length. */
const shortest: Readonly<Partial<Record<Field["kind"], number>>> = { lauText: 16, lzText: 8 };

/** Bits of a message with all parts of variable length empty. */
export const minimumBits = (fields: Fields): number =>
  Object.values(fields).reduce((sum, field) => sum + (bitsOf(field) ?? shortest[field.kind] ?? 0), 0);

/** Width of a number that is joined of these fields. */
export const joinedBits = ({ of }: JoinedField, fields: Fields): number =>
  of.reduce((sum, name) => sum + bitsOf(fields[name]!)!, 0);

/** True for a name that does not begin with an underscore. */
export const isPublished = (name: string): boolean => !name.startsWith("_");
