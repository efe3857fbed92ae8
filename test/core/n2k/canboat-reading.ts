/**
 * canboatjs as the second opinion on a payload: its reading of each field beside ours, by meaning.
 *
 * Its known defects and differences are passed over by rule, never by sample; see `knownDefects`.
 */
import { FromPgn } from "@canboat/canboatjs";
import type { Definition } from "../../../src/core/n2k/definition.ts";
import {
  bitsOf,
  type ChoiceField,
  type Choices,
  type Field,
  type Fields,
  isPublished,
  type NumberField,
} from "../../../src/core/n2k/field.ts";
import { placedFields } from "../../../src/core/n2k/layout.ts";
import { alsoNumber, rawLimits } from "../../../src/core/n2k/scaling.ts";
import { publishedValue } from "../../../src/core/n2k/schema.ts";
import { memoize } from "../../../src/core/util/memoize.ts";
import {
  type CanboatField,
  type CanboatPgn,
  canboatEnumeration,
  canboatPgns,
  conversionOf,
  type OurField,
  ours,
  sameAt,
  theirs,
} from "./canboat.ts";

type Values = Readonly<Record<string, unknown>>;

/**
 * Fields for which the second opinion does not count, and the reasons. The rules below do not depend on a recording.
 */
export const knownDefects: readonly string[] = [
  "text beyond ASCII: the high bit is cut off; UTF-16 is read as UTF-8",
  "the low end of a range is not checked; 0 of IMO number and MMSI, which stands for nothing, is given",
  "codes without a text are given as numbers, texts such as Not available as texts",
  "times, dates and durations: reserved codes, times beyond a day and negative durations are given as text",
  "numbers are rounded to the decimals of the resolution, 3.125e-5 to 1e-5",
  "the highest value of a range is lost in its float, and a charge that is not available is 0",
  "numbers beyond 2^53, and 0xFF of fields that use every code",
  "lists are cut to the count on the wire, and empty when it is not available",
  "it goes on reading behind a string whose length points out of the message, and fills up what is short with zeros",
];

/** Read otherwise on purpose; `canboat.test.ts` has the reasons. */
const onPurpose = new Set(["126993 intervalS", "126996 nmeaVersion", "126208 parameters"]);

/** A parser that gives nothing where it fails, as it does on bit fields behind the end of a short payload. */
export function canboatParser(): FromPgn {
  const parser = new FromPgn({ useCamel: true });
  parser.on("error", () => {});
  return parser;
}

const parser = canboatParser();

/**
 * The reading of a whole payload by canboatjs: the layout's name in the database, and the fields; undefined when it
 * fails.
 */
export function canboatMessage(
  pgn: number,
  source: number,
  payload: Uint8Array,
): { readonly id: string; readonly fields: Values } | undefined {
  const header = { pgn, src: source, dst: 255, prio: 6, timestamp: "2026-11-21T08:14:26.123Z" };
  const result = parser.parse({ pgn: header, length: payload.length, data: Buffer.from(payload), coalesced: true });
  return result as unknown as { readonly id: string; readonly fields: Values } | undefined;
}

/** The fields that canboatjs finds in a whole payload; undefined when it finds none. */
export const canboatReading = (pgn: number, source: number, payload: Uint8Array): Values | undefined =>
  canboatMessage(pgn, source, payload)?.fields;

const secondsOf = (text: string): number => {
  const [hours, minutes, seconds] = text.split(":").map(Number);
  return hours! * 3600 + minutes! * 60 + seconds!;
};

const codeOfText = (enumeration: string, text: unknown): number | undefined => {
  if (typeof text === "number") return text;
  for (const [code, each] of canboatEnumeration(enumeration)) if (each === text) return code;
  return Number.isFinite(Number(text)) ? Number(text) : undefined;
};

/** Ones in a number of up to 16 bits. */
const ones = (value: number): number => value.toString(2).replaceAll("0", "").length;

const isAscii = (text: unknown): boolean => typeof text === "string" && /^[ -~]*$/.test(text);

/** Their value in our unit. */
function inOurUnit(field: NumberField, other: CanboatField, value: unknown): number | undefined {
  if (other.FieldType === "LOOKUP") return codeOfText(other.LookupEnumeration ?? "", value);
  const text = typeof value === "string" ? value : undefined;
  const days = text?.match(/^(\d+)\.(\d+)\.(\d+)$/);
  if (days) return Date.UTC(Number(days[1]), Number(days[2]) - 1, Number(days[3])) / 86_400_000;
  if (text?.includes("-")) return undefined;
  const number = text?.includes(":") ? secondsOf(text) : Number(value);
  if (!Number.isFinite(number)) return undefined;
  const [factor, addend] = conversionOf(other.Unit, field.unit?.replace(" since midnight", ""));
  return (other.Unit === "Ah" ? number / 3600 : number) * factor + addend;
}

/** Half a step on the wire, and half of the last decimal that they give. */
function toleranceOf(field: NumberField, other: CanboatField): number {
  const { times, per, decimals } = field.scale;
  const [factor] = conversionOf(other.Unit, field.unit);
  const resolution = other.Resolution ?? 1;
  const theirDecimals = Math.max(0, Math.ceil(-Math.log10(resolution) - 1e-9));
  return Math.max(times / per, 10 ** -decimals) / 2 + (10 ** -theirDecimals * factor) / 2 + 1e-9;
}

const isTime = ({ FieldType }: CanboatField): boolean => /TIME|DATE|DURATION/.test(FieldType);

const isListed = (choices: Choices, value: unknown): boolean => Object.values(choices).includes(value as string);

function agreeOnNumber(field: NumberField, other: CanboatField, own: number | undefined, value: unknown): Verdict {
  // They name the bits that are set.
  if (Array.isArray(value)) return own === undefined ? undefined : value.length === ones(own);
  const number = value === undefined ? undefined : inOurUnit(field, other, value);
  if (own !== undefined && number !== undefined) return Math.abs(own - number) <= toleranceOf(field, other);
  if (own === number) return true;
  if (isTime(other)) return undefined;
  if (value === "Error") return undefined;
  const [lowest, highest] = rawLimits(field);
  if (number === undefined && own === publishedValue(field, highest)) return undefined;
  if (number === 0 && other.Unit === "Ah") return undefined;
  if (number === undefined) return field.wire.highest === 2 ** field.wire.bits - 1 ? undefined : false;
  const low = publishedValue(field, lowest);
  const [, high] = field.range ?? [0, Number.POSITIVE_INFINITY];
  const isBeyond = number < low || number > high || Math.abs(number) * 10 ** field.scale.decimals > 2 ** 50;
  return isBeyond || (other.FieldType === "LOOKUP" && typeof value === "number") ? undefined : false;
}

function agreeOnChoice(field: ChoiceField, other: CanboatField, own: unknown, value: unknown): Verdict {
  // A number is a code without a text; an unknown text means no value.
  if (own === undefined)
    return value === undefined || (typeof value === "string" && isListed(field.choices, value) ? false : undefined);
  if (typeof own === "number") return Number.parseFloat(String(value)) === own;
  if (own === field.otherwise) return !isListed(field.choices, value);
  // The document has other words for some codes.
  const code = codeOfText(other.LookupEnumeration ?? "", value);
  return value === own || (code !== undefined && field.choices[code] === own);
}

/** Whether the two say the same; undefined when the second opinion does not count. */
type Verdict = boolean | undefined;

function agree(field: Field, other: CanboatField, own: unknown, value: unknown): Verdict {
  switch (field.kind) {
    case "number":
      return agreeOnNumber(field, other, own as number | undefined, value);
    case "choice":
      return agreeOnChoice(field, other, own, value);
    case "flag":
      // Ones of a field of one bit are taken for "not available" there.
      if (own === undefined || value === undefined) return own === value ? true : undefined;
      return (value === "Yes" || value === "in use" || value === 1) === own;
    case "aboveZero":
      if (own === undefined) return value === undefined ? true : Number(value) < 0 ? undefined : false;
      return Number(value) > 0 === own;
    case "digits":
      return own === undefined ? value === undefined : String(value) === own;
    case "text":
    case "lauText":
      if (!isAscii(own ?? "") || !isAscii(value ?? "")) return undefined;
      return (
        String(own ?? "").trim() ===
        String(value ?? "")
          .replace(/[\s@]+$/, "")
          .trim()
      );
    default:
      return undefined;
  }
}

export interface Difference {
  readonly field: string;
  readonly own: unknown;
  readonly other: unknown;
}

export interface Comparison {
  compared: number;
  readonly differences: Difference[];
}

interface Pair {
  readonly name: string;
  readonly field: Field;
  readonly other: CanboatField;
  /** Bit behind it; infinity when that depends on a string. */
  readonly end: number;
}

const pairUp = (list: readonly OurField[], variant: CanboatPgn): Pair[] =>
  list.flatMap(({ name, field, bits, ...at }) => {
    if (field.kind === "skip" || !isPublished(name) || bitsOf(field) === 0) return [];
    const other = theirs(variant).find((each) => sameAt(each, at))?.field;
    const isSame = other !== undefined && (other.BitLength === undefined || other.BitLength === bits);
    if (!isSame) return [];
    const end = at.behind > 0 || bits === undefined ? Number.POSITIVE_INFINITY : at.bit + bits;
    return [{ name, field, other, end }];
  });

/** Our published fields beside theirs, by place; groups are looked up by name of the field alone. */
const pairsOf = memoize((definition: Definition): readonly Pair[] => {
  const pairs = canboatPgns(definition.pgn).flatMap((variant) =>
    pairUp(ours(placedFields(definition.fields)), variant),
  );
  return pairs.filter(
    (pair, index) => pairs.findIndex((each) => each.name === pair.name && each.other.Id === pair.other.Id) === index,
  );
});

/** Facts that all messages of a definition share: its list, and the names of the fields in it and in its choices. */
const groupsOf = memoize((definition: Definition) => {
  const fields = Object.values(definition.fields);
  const group = placedFields(definition.fields).find(({ field }) => field.kind === "repeat");
  const repeated = group?.field.kind === "repeat" ? group.field : undefined;
  return {
    group,
    repeated,
    inGroup: new Set(Object.keys(repeated?.group ?? {})),
    picked: new Set(fields.flatMap((field) => (field.kind === "pick" ? Object.keys(field.group) : []))),
  };
});

/**
 * Compares every published field that has a place on the wire, in a payload of `length` bytes, with the second opinion.
 */
export function compare(
  definition: Definition,
  message: Values,
  reading: Values,
  length: number,
  into: Comparison,
): void {
  const tell = ({ name, field, other, end }: Pair, own: unknown, value: unknown): void => {
    if (own === undefined && end > 8 * length) return;
    const result = onPurpose.has(`${definition.pgn} ${name}`) ? undefined : agree(field, other, own, value);
    if (result === undefined) return;
    into.compared++;
    if (!result) into.differences.push({ field: `${definition.pgn} ${name}`, own, other: value });
  };
  const { group, repeated, inGroup, picked } = groupsOf(definition);
  const pairs = pairsOf(definition);
  const list = reading.list as readonly Values[] | undefined;
  const flat: Values = list?.find((each) => each.line === "Line 1") ?? list?.[0] ?? {};
  for (const pair of pairs) {
    const { name, other } = pair;
    if (inGroup.has(name)) continue;
    // Variants chosen by another field: only what the one that applies has is there.
    if (canboatPgns(definition.pgn).length > 1 && !(other.Id in reading)) continue;
    // Lines that the count leaves out.
    if (picked.has(name) && flat.line === undefined) continue;
    tell(pair, message[name], other.Id in reading ? reading[other.Id] : flat[other.Id]);
  }
  compareAgain(definition.fields, pairs, message, reading, into, definition.pgn);
  if (repeated === undefined) return;
  const entries = (message[group!.name] ?? []) as readonly Values[];
  const groupPairs = pairs.filter(({ name }) => inGroup.has(name));
  if (repeated.numbered !== undefined) {
    for (const [index, pair] of groupPairs.entries()) {
      const entry = entries.find((each) => each[repeated.numbered!] === index + 1);
      tell({ ...pair, name: `${pair.name} ${index + 1}` }, entry?.[pair.name], reading[pair.other.Id]);
    }
    return;
  }
  for (const [index, entry] of (list ?? []).slice(0, entries.length).entries()) {
    for (const pair of groupPairs)
      tell({ ...pair, end: Number.POSITIVE_INFINITY }, entries[index]![pair.name], entry[pair.other.Id]);
  }
}

/** The second units: knots beside metres a second. */
function compareAgain(
  fields: Fields,
  pairs: readonly Pair[],
  message: Values,
  reading: Values,
  into: Comparison,
  pgn: number,
): void {
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind !== "also" || message[name] === undefined) continue;
    const pair = pairs.find((each) => each.name === field.of);
    if (pair?.field.kind !== "number" || reading[pair.other.Id] === undefined) continue;
    const asNumber = alsoNumber(pair.field, field);
    const value = inOurUnit(asNumber, pair.other, reading[pair.other.Id]);
    if (value === undefined && isTime(pair.other)) continue;
    into.compared++;
    if (value === undefined || Math.abs((message[name] as number) - value) > toleranceOf(asNumber, pair.other))
      into.differences.push({ field: `${pgn} ${name}`, own: message[name], other: value });
  }
}
