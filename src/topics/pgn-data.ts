/** `data` of messages of PGNs, as far as it is what the definition of its PGN publishes. Pure. */
import type { Field, Fields } from "../n2k/field.ts";
import { definitions, reportOnly } from "../n2k/pgns/index.ts";
import { MAX_ITEMS, readNumber, readScalar, readText } from "../report/read.ts";

/** `data` of a message of any PGN; components narrow the type by `pgn`. */
export interface PgnData {
  readonly pgn: number;
  readonly [name: string]: unknown;
}

const fieldsByPgn = new Map<number, Fields>([...reportOnly, ...definitions].map(({ pgn, fields }) => [pgn, fields]));

const listOf = (value: unknown): readonly unknown[] | undefined =>
  Array.isArray(value) ? value.slice(0, MAX_ITEMS) : undefined;

/** A value of a field; undefined for what it never has. */
function readField(field: Field | undefined, value: unknown): unknown {
  switch (field?.kind) {
    case "number":
    case "also":
    case "part":
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
      // Texts and choices, and what is not in the tables: a PGN of the public database, a field of a newer version.
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
 * Undefined for what is no message of a PGN. Members that do not fit are left out. The topic names the PGN, as a rule
 * the message too.
 */
export function readPgnData(value: unknown, ofTopic?: number): PgnData | undefined {
  const pgn = ofTopic ?? (value as Partial<PgnData> | null | undefined)?.pgn;
  if (typeof pgn !== "number") return undefined;
  const data = readFields(fieldsByPgn.get(pgn) ?? {}, value) as PgnData | undefined;
  return data && ofTopic !== undefined ? { ...data, pgn: ofTopic } : data;
}
