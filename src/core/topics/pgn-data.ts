/** `data` of messages of PGNs, reduced to the parts that fit the definition of the PGN. Pure functions. */
import type { Field, Fields } from "../n2k/field.ts";
import { definitions, reportOnly } from "../n2k/pgns/index.ts";
import * as pilots from "../n2k/pgns/pilots.ts";
import { MAX_ITEMS, readNumber, readScalar, readText } from "../report/form.ts";

/** `data` of a message of any PGN; components narrow the type by `pgn`. */
export interface PgnData {
  readonly pgn: number;
  readonly [name: string]: unknown;
}

const fieldsByPgn = new Map<number, Fields>(
  [...reportOnly, ...definitions, ...Object.values(pilots)].map(({ pgn, fields }) => [pgn, fields]),
);

const listOf = (value: unknown): readonly unknown[] | undefined =>
  Array.isArray(value) ? value.slice(0, MAX_ITEMS) : undefined;

/** A value of a field; undefined for a value that the field never has. */
function readField(field: Field | undefined, value: unknown): unknown {
  switch (field?.kind) {
    case "number":
    case "also":
    case "part":
    case "joined":
    case "length":
    case "sourceAddress":
      return readNumber(value);
    case "flag":
    case "aboveZero":
      return typeof value === "boolean" ? value : undefined;
    case "bits":
      return listOf(value)?.filter((item) => readText(item) !== undefined);
    case "repeat": {
      const { group, numbered } = field;
      return listOf(value)
        ?.map((item) => readFields(group, item))
        .filter((item) => item !== undefined && (numbered === undefined || readNumber(item[numbered]) !== undefined));
    }
    default:
      // Texts and choices, and fields that are not in the tables: of a PGN of the public database, or of a newer
      // version.
      return readScalar(value);
  }
}

function readFields(fields: Fields, value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const members = Object.entries(value)
    .slice(0, MAX_ITEMS)
    .map(([name, one]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return [name, readField(field, one)] as const;
    });
  return Object.fromEntries(members.filter(([, one]) => one !== undefined));
}

/**
 * Undefined for a value that is not a message of a PGN. Members that do not fit are left out. The topic names the PGN,
 * and so does the message as a rule.
 */
export function readPgnData(value: unknown, ofTopic?: number): PgnData | undefined {
  const pgn = ofTopic ?? (value as Partial<PgnData> | null | undefined)?.pgn;
  if (typeof pgn !== "number") return undefined;
  const data = readFields(fieldsByPgn.get(pgn) ?? {}, value) as PgnData | undefined;
  return data && ofTopic !== undefined ? { ...data, pgn: ofTopic } : data;
}
