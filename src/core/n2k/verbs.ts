/**
 * The verbs of PGN definitions, which make their fields: the argument is the type on the wire, the verb the published
 * type.
 *
 * @example headingDeg: angle(u16)
 */
import type {
  AboveZeroField,
  AlsoChoiceField,
  AlsoField,
  BitsField,
  ChoiceField,
  Choices,
  ConstantField,
  DigitPairsField,
  DigitsField,
  EitherField,
  Field,
  Fields,
  FlagField,
  HexField,
  JoinedField,
  KeyedField,
  LauTextField,
  LengthField,
  LzTextField,
  Members,
  NeverField,
  NumberField,
  PartField,
  PickField,
  Quantity,
  RepeatField,
  Simplify,
  SkipField,
  SourceAddressField,
  TextField,
} from "./field.ts";
import { degrees, type ScaleOptions, scaleOf, type Unit, type UnitName, unitName } from "./units.ts";
import { u1, type WireType, withoutReservedCodes } from "./wire.ts";

export interface NumberOptions extends ScaleOptions {
  /** Values outside are not published. */
  readonly range?: readonly [number, number];
  /** Raw number that stands for "not available" if it is not the top code. */
  readonly absent?: number;
  readonly quantity?: Quantity;
  /** Name in a user interface, if it is not the published name in words. */
  readonly label?: string;
  /** Names of its bits, from the lowest. */
  readonly bits?: readonly string[];
  readonly note?: string;
}

interface Note {
  readonly note?: string;
}

const number = (wire: WireType, options: NumberOptions, isInteger: boolean): NumberField => ({
  kind: "number",
  wire,
  scale: scaleOf(isInteger ? { ...options, decimals: 0 } : options),
  integer: isInteger,
  unit: unitName(options.unit),
  range: options.range,
  absent: options.absent,
  quantity: options.quantity ?? (unitName(options.unit) === "deg" ? "direction" : undefined),
  label: options.label,
  bits: options.bits,
  note: options.note,
});

/**
 * A JSON integer.
 *
 * @example instance: integer(u8)
 */
export const integer = (wire: WireType, options: NumberOptions = {}): NumberField => number(wire, options, true);

/**
 * A JSON number.
 *
 * @example depthM: decimal(u32, { per: 100, unit: "m" }) // 0.01 m per bit
 */
export const decimal = (wire: WireType, options: NumberOptions = {}): NumberField => number(wire, options, false);

/**
 * A number of things; unlike other integers without a unit it is a measurement, not a code.
 *
 * @example numberOfSatellites: count(u8)
 */
export const count = (wire: WireType, options: NumberOptions = {}): NumberField =>
  integer(wire, { quantity: "count", ...options });

/**
 * An angle of 0.0001 rad per bit in degrees: 0 to 360 when unsigned, -180 to 180 when signed.
 *
 * @example headingDeg: angle(u16)
 */
export const angle = (wire: WireType, options: Pick<NumberOptions, "quantity" | "note"> = {}): NumberField =>
  decimal(wire, { per: 1e4, unit: degrees, range: wire.signed ? [-180, 180] : [0, 360], ...options });

/**
 * An angle around a zero position: rudder, pitch, variation.
 *
 * @example pitchDeg: deflection(s16)
 */
export const deflection = (wire: WireType): NumberField => angle(wire, { quantity: "deflection" });

/** Latitude or longitude of 1e-7 degrees per bit, or 1e-16 when it has 64 bits. */
const coordinate = (wire: WireType, limit: number): NumberField =>
  decimal(wire, {
    per: wire.bits === 64 ? 1e16 : 1e7,
    unit: "deg",
    range: [-limit, limit],
    quantity: "coordinate",
  });
export const latitude = (wire: WireType): NumberField => coordinate(wire, 90);
export const longitude = (wire: WireType): NumberField => coordinate(wire, 180);

/**
 * Time of day of 0.0001 s per bit, seconds since midnight; a leap second is a time of day.
 *
 * @example time: timeOfDay(u32)
 */
export const timeOfDay = (wire: WireType): NumberField =>
  decimal(wire, { per: 1e4, unit: "s since midnight", range: [0, 86400.9999] });

/** A date. */
export const days = (wire: WireType): NumberField => integer(wire, { unit: "days since 1970-01-01" });

/**
 * A number published as a string of digits.
 *
 * @example priority: digits(u8) // "5"
 */
export const digits = (wire: WireType, options: Note = {}): DigitsField => ({ kind: "digits", wire, ...options });

/**
 * A raw code as a JSON integer: all but the two top codes, unless the list names them.
 *
 * @example alertType: code(u4, AlertType)
 */
export const code = (wire: WireType, choices: Choices = {}, options: Note = {}): NumberField => {
  // biome-ignore lint/plugin: values of a field of the document
  const highest = Math.max(2 ** wire.bits - 3, ...Object.keys(choices).map(Number));
  return { ...integer({ ...wire, highest }, options), codes: choices };
};

/**
 * The string (or number) that stands for a code. A code that is not in the list is published as `otherwise`, if given.
 *
 * @example reference: choice(u2, ["True", "Magnetic"], { otherwise: "Unknown" })
 */
export const choice = <const Value extends string | number, const Otherwise extends string | number = never>(
  wire: WireType,
  choices: Choices<Value>,
  options: Note & {
    readonly otherwise?: Otherwise;
    readonly unit?: UnitName;
    readonly open?: true;
    readonly without?: readonly number[];
  } = {},
): ChoiceField<Value | Otherwise> => ({ kind: "choice", wire, choices, ...options });

/**
 * True for 1, false for every other code.
 *
 * @example silenced: flag()
 */
export const flag = (wire: WireType = u1, options: Note = {}): FlagField => ({ kind: "flag", wire, ...options });
/**
 * True for a number above zero.
 *
 * @example waypointClosing: aboveZero(s16)
 */
export const aboveZero = (wire: WireType, options: Note = {}): AboveZeroField => ({
  kind: "aboveZero",
  wire,
  ...options,
});
/**
 * Two decimal digits per byte.
 *
 * @example address: digitPairs(5) // "2442345670"
 */
export const digitPairs = (bytes: number, options: Note = {}): DigitPairsField => ({
  kind: "digitPairs",
  bytes,
  ...options,
});
/**
 * Text of a fixed length.
 *
 * @example callsign: text(7)
 */
export const text = (bytes: number, options: Note & { readonly partial?: true } = {}): TextField => ({
  kind: "text",
  bytes,
  ...options,
});
/** Text preceded by the number of its bytes. */
export const lzText = (options: Note = {}): LzTextField => ({ kind: "lzText", ...options });
/** Text preceded by its length and encoding. */
export const lauText = (options: Note = {}): LauTextField => ({ kind: "lauText", ...options });
/** Bytes to the end of the message, or `bytes` of them, in hex. */
export const hex = (options: Note & { readonly bytes?: number } = {}): HexField => ({ kind: "hex", ...options });
/**
 * The names of the bits that are set.
 *
 * @example monitoringEvents: bits(u8, ["Under voltage", "Over current"]) // ["Over current"] for 2, [] for 0
 */
export const bits = (wire: WireType, names: Choices<string>, options: Note = {}): BitsField => ({
  kind: "bits",
  wire: withoutReservedCodes(wire),
  names,
  ...options,
});
/** A text that is not on the wire. */
export const constant = (value: string): ConstantField => ({ kind: "constant", value });

/**
 * Bits with a meaning that is not published. A sender without a value for them fills them with ones, in AIS with zeros.
 *
 * @example _occurrence: skip(8)
 */
export const skip = (bits: number, fill: 0 | 1 = 1): SkipField => ({ kind: "skip", bits, fill, reserved: false });

/**
 * Bits without a meaning, which are ones.
 *
 * @example _reserved: reserved(6)
 */
export const reserved = (bits: number): SkipField => ({ kind: "skip", bits, fill: 1, reserved: true });

/** Bits without a meaning, which are zeros. */
export const spare = (bits: number): SkipField => ({ kind: "skip", bits, fill: 0, reserved: true });

/**
 * Another field's number once more, in another unit.
 *
 * @example sogKnots: also("sogMs", knots)
 */
export const also = (of: string, unit?: Unit): AlsoField => ({ kind: "also", of, unit });
/**
 * Another field's code once more, as text.
 *
 * @example shipTypeName: alsoChoice("shipType", ShipType)
 */
export const alsoChoice = <const Value extends string | number>(
  of: string,
  choices: Choices<Value>,
): AlsoChoiceField<Value> => ({ kind: "alsoChoice", of, choices });
/**
 * A part of another field's raw number.
 *
 * @example minutes: part("time", 6e5, 60) // of a time of 0.0001 s per bit
 */
export const part = (of: string, per: number, modulo = Number.POSITIVE_INFINITY, decimals = 0): PartField => ({
  kind: "part",
  of,
  per,
  modulo,
  decimals,
});
/**
 * A number whose bits lie apart, in other fields; the lowest come first.
 *
 * @example spn: joined(["_spnLow", "_spnHigh"])
 */
export const joined = (of: readonly string[]): JoinedField => ({ kind: "joined", of });
/**
 * Length of a text field in characters.
 *
 * @example textLength: lengthOf("text")
 */
export const lengthOf = (of: string): LengthField => ({ kind: "length", of });
export const sourceAddress = (options: Note = {}): SourceAddressField => ({ kind: "sourceAddress", ...options });

type JsonType = { string: string; number: number; integer: number; boolean: boolean };
/**
 * A field of the document that no public layout has.
 *
 * @example gearNumber: never("integer", "not on the public wire layout, never published")
 */
export const never = <Type extends keyof JsonType>(type: Type, note: string): NeverField<JsonType[Type]> => ({
  kind: "never",
  type,
  note,
});

/**
 * An array of groups.
 *
 * @example switches: repeat({ status: choice(u2, OffOnError) }, { times: 28, numbered: "switch" })
 */
export const repeat = <const Group extends Fields, const Name extends string = never>(
  group: Group,
  options: { readonly times?: number; readonly numbered?: Name; readonly count?: string } & Note = {},
): RepeatField<Group, Simplify<{ readonly [Key in Name]: number } & Members<Group>>> => ({
  kind: "repeat",
  group,
  ...options,
});

/**
 * The group that repeats to the end of the message, of which one is published.
 *
 * @example _lines: pick({ _line: code(u2), _reserved: reserved(6), voltageV: decimal(u16) }, "_line", 0)
 */
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

/**
 * Two layouts of the same bits.
 *
 * @example
 * _first: either("category", DISTRESS, {
 *   matching:  { natureOfDistress: choice(u8, DscNature) },
 *   otherwise: { firstTelecommand: choice(u8, DscFirstTelecommand) },
 * })
 */
export const either = <const Then extends Fields, const Else extends Fields>(
  by: string,
  is: number,
  branches: { readonly matching: Then; readonly otherwise: Else },
): EitherField<Then, Else> => ({ kind: "either", by, is, ...branches });

/**
 * A value whose layout a code chooses.
 *
 * @example _value: keyed("key", { 0: { valueDeg: angle(u16) } }, { length: "length", otherwise: { value: hex() } })
 */
export const keyed = <const Cases extends Readonly<Record<number, Fields>>>(
  by: string,
  cases: Cases,
  options: { readonly length?: string | undefined; readonly otherwise: Fields },
): KeyedField<Cases> => ({ kind: "keyed", by, cases, ...options });

/**
 * Marks a field as part of the key. Messages of one PGN and sender with different keys are about different things
 * (another instance, another reference, another ship): each key has its own rate limit and its own entities. Fields
 * that are not published may be keys too. Key fields precede all parts of variable length.
 *
 * @example mmsi: key(integer(u32))
 */
export const key = <One extends Field>(field: One): One => ({ ...field, key: true });

/**
 * The number of one of several equal things of the boat, a key: two devices that send the same number speak of the same
 * thing, or their instances collide.
 *
 * @example batteryInstance: instance(u8)
 */
export const instance = (wire: WireType, options: NumberOptions = {}): NumberField => ({
  ...key(integer(wire, options)),
  instance: true,
});

/**
 * Marks a value that a crew wants to see every day. The entities of other values are announced to Home Assistant as
 * disabled, because it renders the template of each enabled entity for each message.
 *
 * @example levelPercent: everyday(decimal(s16, { per: 250, unit: "%" }))
 */
export const everyday = <One extends Field>(field: One): One => ({ ...field, everyday: true });

/**
 * Marks a number that counts messages, such as the identifier of messages of one moment: it says nothing about the boat,
 * is no change of a message, and does not count when messages of two senders are compared.
 *
 * @example sequenceId: counter(integer(u8))
 */
export const counter = <One extends Field>(field: One): One => ({ ...field, counter: true });

/**
 * Marks the time at which the values of a message were measured. It advances from message to message, so that it alone
 * is no change; other times, such as that of an arrival, are values.
 *
 * @example time: clock(timeOfDay(u32))
 */
export const clock = <One extends Field>(field: One): One => ({ ...field, clock: true });

/** Marks a value that is about others of the message, so that a message with it alone states nothing. Key fields are, too. */
export const statesNothing = <One extends Field>(field: One): One => ({ ...field, statesNothing: true });
