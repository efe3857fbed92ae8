/**
 * PGNs of the public database: definitions made from the table that the build writes (`scripts/public-pgns.mjs`), each
 * when its PGN is received for the first time. Several messages may share a PGN; their layouts have the fields that
 * distinguish them.
 */

import { addTo } from "../util/grouped.ts";
import { type Definition, type DefinitionOptions, pgn } from "./definition.ts";
import { bitsOf, type Choices, type Field, type Fields } from "./field.ts";
import { placedFields } from "./layout.ts";
import { proprietary } from "./pgns/proprietary.ts";
import { proprietaryRanges } from "./public-names.ts";
import {
  celsius,
  degrees,
  degreesPerSecond,
  kilopascal,
  knots,
  nanosecondsPerSecond,
  semicircles,
  semicirclesPerSecond,
  type Unit,
  type UnitName,
} from "./units.ts";
import {
  angle,
  bits,
  choice,
  clock,
  constant,
  counter,
  days,
  decimal,
  digits,
  hex,
  integer,
  key,
  keyed,
  latitude,
  lauText,
  longitude,
  lzText,
  type NumberOptions,
  repeat,
  reserved,
  spare,
  text,
  timeOfDay,
} from "./verbs.ts";
import { f32, type WireType, wireType } from "./wire.ts";

/** Name, kind with `*` for a key, and the parameters of the kind. */
type FieldRow = readonly [name: string, kind: string, ...rest: readonly unknown[]];

/** The bits that a message of a layout has at a place. */
type Match = readonly [bit: number, bits: number, value: number];

type LayoutRow = readonly [
  title: string,
  transport: "single" | "fast",
  matches: readonly Match[],
  fields: readonly FieldRow[],
  meaning: Pick<DefinitionOptions, "about" | "event">,
];

export interface NumberRow extends Omit<NumberOptions, "unit"> {
  /** A key of `conversions`, or the unit itself. */
  readonly unit?: keyof typeof conversions | UnitName;
  readonly signed?: boolean;
  /** Highest raw number, if some codes at the top are values, or fewer are. */
  readonly highest?: number;
  readonly lowest?: number;
}

/** One of the messages that share a PGN. */
export interface PublicVariant {
  readonly definition: Definition;
  /** Whether a message has the bits that this one has. */
  matches(bytes: Uint8Array, at: number, end: number): boolean;
}

/** The public PGNs that have no definition of their own in the repository. */
export interface PublicPgns {
  /**
   * Layouts in the order in which they are tried; empty for a PGN that is not public. The last one of a proprietary PGN
   * matches any message.
   */
  variants(pgn: number): readonly PublicVariant[];
  /** PGNs with a layout of their own. */
  readonly pgns: readonly number[];
}

/** Conversions by name; other units are published without conversion. */
const conversions = {
  celsius,
  degrees,
  degreesPerSecond,
  kilopascal,
  knots,
  nanosecondsPerSecond,
  semicircles,
  semicirclesPerSecond,
} as const satisfies Readonly<Record<string, Unit>>;

const unitOf = (unit: keyof typeof conversions | UnitName): Unit | UnitName =>
  unit in conversions ? conversions[unit as keyof typeof conversions] : (unit as UnitName);

const wireOf = (width: number, { signed = false, highest, lowest }: NumberRow): WireType => {
  const wire = wireType(width, signed);
  return { ...wire, highest: highest ?? wire.highest, lowest: lowest ?? wire.lowest };
};

function numberOf(wire: WireType, { signed: _, highest: __, lowest: ___, unit, ...row }: NumberRow): Field {
  const options: NumberOptions = { ...row, ...(unit !== undefined && { unit: unitOf(unit) }) };
  const isWhole = unit === undefined && (row.per ?? 1) === 1 && Number.isInteger(row.times ?? 1) && !wire.float;
  return (isWhole ? integer : decimal)(wire, options);
}

/** Fields that are made of their width alone, in bits, or of it and of a number, by their kind. */
const makers: Readonly<Record<string, (width: number, row: NumberRow) => Field>> = {
  number: (width, row) => numberOf(wireOf(width, row), row),
  float: (_, row) => numberOf(f32, { ...row, decimals: 6 }),
  angle: (width, row) => angle(wireOf(width, row)),
  latitude: (width, row) => latitude(wireOf(width, row)),
  longitude: (width, row) => longitude(wireOf(width, row)),
  days: (width) => days(wireType(width, false)),
  counter: (width, row) => counter(integer(wireOf(width, row))),
  clock: (width) => clock(timeOfDay(wireType(width, false))),
  timeOfDay: (width) => timeOfDay(wireType(width, false)),
  mmsi: (width) => integer(wireType(width, false), { range: [1, 999_999_999] }),
  lauText: () => lauText(),
  lzText: () => lzText(),
  digits: (width) => digits(wireType(width, false)),
  reserved: (width) => reserved(width),
  spare: (width) => spare(width),
};

/** The table: its lines by kind and name. */
class Table {
  readonly #lines = new Map<string, string[]>();

  constructor(table: string) {
    for (const line of table.split("\n")) {
      const end = line.indexOf(" ", line.indexOf(" ") + 1);
      if (end === -1) continue;
      addTo(this.#lines, line.slice(0, end), line.slice(end + 1));
    }
  }

  get pgns(): readonly number[] {
    return [...this.#lines.keys()].flatMap((of) => (of.startsWith("pgn ") ? [Number(of.slice(4))] : []));
  }

  layouts(number: number): readonly LayoutRow[] {
    return (this.#lines.get(`pgn ${number}`) ?? []).map((line) => JSON.parse(line));
  }

  fields(rows: readonly FieldRow[]): Fields {
    return Object.fromEntries(
      rows.map(([name, kind, ...rest]) => {
        const field = this.#field(kind.replace("*", ""), rest);
        return [name, kind.endsWith("*") ? key(field) : field];
      }),
    );
  }

  #list(kind: string, name: unknown): unknown {
    return JSON.parse(this.#lines.get(`${kind} ${name}`)![0]!);
  }

  #field(kind: string, [first, second, third]: readonly unknown[]): Field {
    const width = first as number;
    const make = makers[kind];
    if (make !== undefined) return make(width, (second ?? {}) as NumberRow);
    switch (kind) {
      case "choice":
        return this.#choice(width, second, third as number | undefined);
      case "bits":
        return bits(wireType(width, false), this.#list("bits", second) as Choices<string>);
      case "text":
        return text(width, second === "partial" ? { partial: true } : {});
      case "hex":
        return hex(first === undefined ? {} : { bytes: width });
      case "repeat":
        return repeat(this.fields(second as readonly FieldRow[]), first === null ? {} : { count: first as string });
      case "keyed":
        return this.#keyed(first as string, second as string | null);
      default:
        throw new TypeError(`a table with a ${kind}`);
    }
  }

  /**
   * A code: its text, or its digits if it has none; no value for codes that stand for none. A field that distinguishes
   * a layout from others has one code only.
   */
  #choice(width: number, name: unknown, only?: number): Field {
    const [texts, without] = this.#list("codes", name) as readonly [Choices<string>, readonly number[]];
    if (only !== undefined) return choice(wireType(width, false), { [only]: texts[only] ?? String(only) });
    return choice(wireType(width, false), texts, { open: true, without });
  }

  #keyed(by: string, length: string | null): Field {
    const [list, code] = by.split(" ") as [string, string];
    const cases = this.#list("keyed", list) as Readonly<Record<number, FieldRow>>;
    const fields = Object.entries(cases).map(([each, row]) => [each, this.fields([row])] as const);
    return keyed(code, Object.fromEntries(fields), { length: length ?? undefined, otherwise: { data: hex() } });
  }
}

/** Reads `width` bits at a bit of a message, at most 32; undefined beyond its end. */
function bitsAt(bytes: Uint8Array, at: number, end: number, bit: number, width: number): number | undefined {
  if (at + Math.ceil((bit + width) / 8) > end) return undefined;
  let value = 0;
  for (let each = width - 1; each >= 0; each--) {
    const place = bit + each;
    value = 2 * value + ((bytes[at + (place >> 3)]! >> (place & 7)) & 1);
  }
  return value;
}

/** A variant whose definition is made on first use. */
function variantOf(matches: readonly Match[], make: () => Definition): PublicVariant {
  let definition: Definition | undefined;
  return {
    get definition() {
      definition ??= make();
      return definition;
    },
    matches: (bytes, at, end) => matches.every(([bit, width, value]) => bitsAt(bytes, at, end, bit, width) === value),
  };
}

/** A definition written by hand, as a variant. */
function ownVariant(definition: Definition): PublicVariant {
  const { title, fields, matches = {} } = definition;
  const placed = placedFields(fields);
  const bits = Object.entries(matches).map(([name, value]): Match => {
    const { field, bit } = placed.find((each) => each.name === name) ?? {};
    const width = field && bitsOf(field);
    if (bit === undefined || width === undefined) throw new TypeError(`${title}: ${name} has no fixed place`);
    return [bit, width, value!];
  });
  return variantOf(bits, () => ({ ...definition, fields: { title: constant(title), ...fields } }));
}

const options = { origin: "database", beyondDocument: "message" } as const;

/** The first fields of every proprietary message. */
const proprietaryHead: readonly FieldRow[] = [
  ["manufacturer", "choice*", 11, "MANUFACTURER_CODE"],
  ["_reserved", "reserved", 2],
  ["industryGroup", "choice*", 3, "INDUSTRY_CODE"],
  ["data", "hex"],
];

/**
 * The PGNs of a table that the build has written; variants written by hand come first.
 *
 * @example publicPgns(table).variants(65013)[0]?.definition.title // "Utility Phase A AC Power"
 */
export function publicPgns(text: string, own: readonly Definition[] = proprietary): PublicPgns {
  const table = new Table(text);
  const made = new Map<number, readonly PublicVariant[]>();
  const make = (number: number): readonly PublicVariant[] => {
    const range = proprietaryRanges.find(({ first, last }) => number >= first && number <= last);
    const rows = table.layouts(number);
    // If several messages share a PGN, only the title identifies a message.
    const isShared = range !== undefined || rows.length > 1;
    const variants = rows.map(([title, transport, matches, fields, meaning]) =>
      variantOf(matches, () => {
        const own = isShared ? { title: constant(title) } : {};
        return pgn(number, title, { ...own, ...table.fields(fields) }, { ...options, transport, ...meaning });
      }),
    );
    if (range === undefined) return variants;
    const byHand = own.filter((definition) => definition.pgn === number).map(ownVariant);
    const { title, transport } = range;
    const any = () => pgn(number, title, table.fields(proprietaryHead), { ...options, transport, event: true });
    return [...byHand, ...variants, variantOf([], any)];
  };
  return {
    variants(number) {
      let variants = made.get(number);
      if (variants === undefined) {
        variants = make(number);
        if (variants.length > 0) made.set(number, variants);
      }
      return variants;
    },
    pgns: [...new Set([...table.pgns, ...own.map(({ pgn }) => pgn)])].sort((a, b) => a - b),
  };
}
