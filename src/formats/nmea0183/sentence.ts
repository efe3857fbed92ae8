/**
 * The language of NMEA 0183 sentences: a sentence is a list of fields, each a format and the member that it shows.
 *
 *     $IIMTW,17.3,C*1A      talker II, sentence MTW, fields, checksum: the exclusive or of all between $ and *
 *
 * A member without a value leaves its field empty, and so does a number beyond the range of the field.
 */
import type { Moment } from "./bus-time.ts";

/**
 * A member and its message: the navigation report, `navigation position.latitude`; a PGN, `128275 tripLogNm`; one
 * instance of a PGN, `127245/1 positionDeg`; or a moment, of the position or of the sentence.
 */
export type Member =
  | `${"navigation" | number | `${number}/${number}`} ${string}`
  | `${"fix" | "clock"} ${keyof Moment}`;

/** Finds the value of a member; undefined if it is missing or has expired. */
export type Lookup = (member: Member) => unknown;

/** The text of one field, or of several fields that belong together, in their order. */
export interface Field {
  readonly members: readonly Member[];
  /** Characters at its end may be left out where the sentence is too long. */
  readonly isCut?: true;
  write(find: Lookup): string;
}

/** The longest sentence, from `$` to the line end. */
export const MAX_SENTENCE_LENGTH = 82;

/** A value computed from members; undefined unless `compute` gives one. */
export interface Derived {
  readonly members: readonly Member[];
  compute(find: Lookup): number | undefined;
}

/** A number that is a member, or computed from some. */
export type Source = Member | Derived;

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

const membersOf = (source: Source): readonly Member[] => (typeof source === "string" ? [source] : source.members);

/** The value of a number; undefined for anything else. */
export function numberOf(source: Source, find: Lookup): number | undefined {
  const value = typeof source === "string" ? find(source) : source.compute(find);
  return isNumber(value) ? value : undefined;
}

/** Computes from numbers; none of them may be missing. */
export const derived = (sources: readonly Source[], compute: (...values: number[]) => number): Derived => ({
  members: sources.flatMap(membersOf),
  compute(find) {
    const values = sources.map((source) => numberOf(source, find));
    return values.every(isNumber) ? compute(...values) : undefined;
  },
});

/** A number, or another one if it is missing. */
export const otherwise = (source: Source, instead: number): Derived => ({
  members: membersOf(source),
  compute: (find) => numberOf(source, find) ?? instead,
});

/** A number, if it is from `min` to `max`. */
export const within = (source: Source, min: number, max: number): Derived => ({
  members: membersOf(source),
  compute(find) {
    const value = numberOf(source, find);
    return value !== undefined && value >= min && value <= max ? value : undefined;
  },
});

/** Degrees Celsius; nothing is colder than absolute zero. */
export const celsius = (source: Source): Derived => within(source, -273.15, Number.POSITIVE_INFINITY);

/** `missing` is written if the number is missing or its amount is above `max`. */
const field = (source: Source, write: (value: number) => string, { missing = "", max = 1e6 } = {}): Field => ({
  members: membersOf(source),
  write(find) {
    const value = numberOf(source, find);
    return value === undefined || Math.abs(value) > max ? missing : write(value);
  },
});

/** A number rounded to a count of its last decimal; halves are rounded away from zero. */
export function scaled(value: number, decimals: number): number {
  // Fifteen digits restore the decimal number: 1.005 * 100 is 100.49999999999999.
  const shifted = Number((Math.abs(value) * 10 ** decimals).toPrecision(15));
  return Math.sign(value) * Math.round(shifted) + 0;
}

/** A count of the last decimal as text, with at least `digits` before the point. */
export function fixed(count: number, decimals: number, digits = 1): string {
  const text = String(Math.abs(count)).padStart(digits + decimals, "0");
  const sign = count < 0 ? "-" : "";
  const point = text.length - decimals;
  return sign + (decimals === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`);
}

export interface DecimalOptions {
  /** Units of the field in one unit of the member. */
  readonly times?: number;
  /** Letters of the two directions: the field is the amount, and the letter of its sign follows it. */
  readonly letters?: readonly [positive: string, negative: string];
  /** Minimum digits before the point. */
  readonly digits?: number;
  /** The largest amount of the field; a larger one is shown as this. */
  readonly limit?: number;
  /** The largest amount of the member; with a larger one the field is empty. */
  readonly max?: number;
}

/** A number with this many decimals. */
export const decimal = (decimals: number, source: Source, options: DecimalOptions = {}): Field => {
  const { times = 1, letters, digits = 1, limit = Number.POSITIVE_INFINITY, max = 1e6 } = options;
  const write = (value: number): string => {
    const count = scaled(Math.max(-limit, Math.min(limit, value * times)), decimals);
    if (letters === undefined) return fixed(count, decimals, digits);
    return `${fixed(Math.abs(count), decimals, digits)},${count < 0 ? letters[1] : letters[0]}`;
  };
  return field(source, write, { missing: letters === undefined ? "" : ",", max });
};

/** A direction, 0.0 to 359.9 degrees. */
export const direction = (source: Source): Field =>
  field(source, (value) => fixed(((scaled(value, 1) % 3600) + 3600) % 3600, 1, 3));

/** Minutes have four decimals: 0.2 metres. */
const MINUTE_DECIMALS = 4;

const coordinate =
  (degreeDigits: number, letters: readonly [string, string], max: number) =>
  (source: Source): Field =>
    field(
      source,
      (value) => {
        const count = scaled(Math.abs(value) * 60, MINUTE_DECIMALS);
        const degree = 60 * 10 ** MINUTE_DECIMALS;
        const degrees = String(Math.floor(count / degree)).padStart(degreeDigits, "0");
        return `${degrees}${fixed(count % degree, MINUTE_DECIMALS, 2)},${value < 0 ? letters[1] : letters[0]}`;
      },
      { missing: ",", max },
    );

/** Degrees and minutes, and N or S: two fields. */
export const latitude = coordinate(2, ["N", "S"], 90);
/** Degrees and minutes, and E or W: two fields. */
export const longitude = coordinate(3, ["E", "W"], 180);

/** The time of a moment as `hhmmss.ss`. */
export const timeOfDay = (member: `${"fix" | "clock"} time`): Field => ({
  members: [member],
  write: (find) => ((find(member) as Moment["time"]) ?? "").replaceAll(":", ""),
});

/** The date of a moment with its parts in another order: `ddmmyy`, or `dd,mm,yyyy`, which are three fields. */
export const date = (member: `${"fix" | "clock"} date`, form: "ddmmyy" | "dd,mm,yyyy"): Field => ({
  members: [member],
  write(find) {
    const [year, month, day] = ((find(member) as Moment["date"]) ?? "").split("-");
    if (year === undefined || month === undefined || day === undefined) return form === "ddmmyy" ? "" : ",,";
    return form === "ddmmyy" ? `${day}${month}${year.slice(2)}` : `${day},${month},${year}`;
  },
});

/** A letter or text by a choice; undefined leaves it empty. */
export const choice = (members: readonly Member[], choose: (...values: unknown[]) => string | undefined): Field => ({
  members,
  write: (find) => choose(...members.map(find)) ?? "",
});

/** The letter `A` if all of the numbers are known, otherwise `V`. */
export const status = (...sources: readonly Source[]): Field => ({
  members: sources.flatMap(membersOf),
  write: (find) => (sources.every((source) => numberOf(source, find) !== undefined) ? "A" : "V"),
});

/** A text derived from members. */
export interface Found {
  readonly members: readonly Member[];
  find(find: Lookup): unknown;
}

/** A name of at most this length; characters that sentences use themselves become hyphens. */
export const name = (length: number, { members, find: choose }: Found): Field => ({
  members,
  isCut: true,
  write(find) {
    const value = choose(find);
    return typeof value === "string" || typeof value === "number" ? plain(String(value)).slice(0, length).trim() : "";
  },
});

/**
 * Text without accents, and without the characters that have a meaning in sentences: printable ASCII without
 * `! $ * , \ ^ ~`.
 */
export const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^ -}]|[!$*,\\^]/g, "-");

/** A field that is always the same. */
export const constant = (text: string): Field => ({ members: [], write: () => text });

/** The exclusive or of all characters. */
export function checksumOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum ^= text.charCodeAt(at);
  return sum;
}

/** The sentence between its first character and its line end, with the checksum. */
export const framed = (start: "$" | "!", body: string): string =>
  `${start}${body}*${checksumOf(body).toString(16).toUpperCase().padStart(2, "0")}\r\n`;

/** A member of any type, a computed number, or a field that is not empty. */
export type Need = Source | Field;

function isThere(need: Need, find: Lookup): boolean {
  if (typeof need === "string") return (find(need) ?? undefined) !== undefined;
  return "write" in need ? need.write(find) !== "" : need.compute(find) !== undefined;
}

/** A sentence with its trigger: it is written when a message of `on` arrives, or with a position by `FixPace`. */
export interface Sentence {
  /** The three letters, such as `RMC`. */
  readonly id: string;
  readonly talker: Talker;
  readonly on: "navigation" | "fix" | number;
  /** Minimum milliseconds between two sentences; sentences of the position have its pace. */
  readonly everyMs: number;
  /** The sentence is sent only if one of these has a value; without any it is always sent. */
  readonly needs: readonly Need[];
  readonly fields: readonly Field[];
}

/**
 * The talker of a sentence: GPS receiver, magnetic compass, integrated instruments, radio with digital selective
 * calling.
 */
export type Talker = "GP" | "HC" | "II" | "CD";

export interface SentenceOptions {
  readonly on?: Sentence["on"];
  readonly everyMs?: number;
  readonly needs?: readonly Need[];
}

/** @example sentence("II", "MTW", { needs: [temperature] }, [decimal(1, temperature), constant("C")]) */
export const sentence = (
  talker: Talker,
  id: string,
  { on = "navigation", everyMs = on === "fix" ? 0 : 1000, needs = [] }: SentenceOptions,
  fields: readonly Field[],
): Sentence => ({ id, talker, on, everyMs, needs, fields });

/** Whether the sentence is sent: one of its needs has a value, or it has none. */
export const isSent = ({ needs }: Sentence, find: Lookup): boolean =>
  needs.length === 0 || needs.some((need) => isThere(need, find));

/** The sentence as a line; undefined if it is not sent. */
export function sentenceText(sentence: Sentence, find: Lookup): string | undefined {
  if (!isSent(sentence, find)) return undefined;
  const { talker, id, fields } = sentence;
  const texts = fields.map((each) => each.write(find));
  let surplus = framed("$", [talker + id, ...texts].join(",")).length - MAX_SENTENCE_LENGTH;
  for (const [at, { isCut }] of fields.entries()) {
    const text = texts[at]!;
    if (surplus <= 0 || !isCut) continue;
    texts[at] = text.slice(0, Math.max(0, text.length - surplus)).trimEnd();
    surplus -= text.length - texts[at]!.length;
  }
  return framed("$", [talker + id, ...texts].join(","));
}
