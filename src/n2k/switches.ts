/**
 * The operator's say in the PGNs of assumed layout, from the entry `can` of the deployed settings:
 *
 *     {"name": "can", "pgn": {"127490": "off", "127495": [{"id": "engineInstance", "bits": 8}, …]}}
 *
 * Whatever cannot be used is named in a warning and leaves the PGN as it was.
 */
import * as z from "zod";
import { bitsOf, choice, type Definition, decimal, type Field, integer, pgn, skip, wireType } from "./field.ts";
import { assumed } from "./pgns/assumed.ts";

/**
 * How a PGN of assumed layout is read: `auto` tells the assumed and the public message apart, `assumed` and `public`
 * take all for the one or the other, `off` publishes the number only, a definition is a layout of the operator's own.
 */
export type Switch = "auto" | "assumed" | "public" | "off" | Definition;
export type Switches = ReadonlyMap<number, Switch>;

const fieldEntry = z.strictObject({
  /** Published name; without one, or with an underscore in front, the bits are passed over. */
  id: z
    .string()
    .regex(/^_?[A-Za-z][A-Za-z0-9]*$/)
    .refine((id) => id !== "pgn", "pgn is the message's own")
    .optional(),
  bits: z.int().min(1).max(64),
  signed: z.boolean().optional(),
  resolution: z.number().positive().max(1e9).optional(),
  offset: z.number().optional(),
  unit: z.string().max(32).optional(),
  /** Texts by code: a list from 0, or an object. */
  strings: z.union([z.array(z.string()).max(256), z.record(z.string().regex(/^\d{1,3}$/), z.string())]).optional(),
});
type FieldEntry = z.infer<typeof fieldEntry>;

const fieldList = z.array(fieldEntry).min(1).max(200);
const layoutEntry = z.union([
  fieldList.transform((fields) => ({ fields, transport: undefined })),
  z.strictObject({ fields: fieldList, transport: z.enum(["single", "fast"]).optional() }),
]);

const word = z.enum(["auto", "assumed", "public", "off"]);

/** 0.25 becomes a division by 4, which keeps 65 x 0.01 at 0.65. */
const resolutionOf = (resolution = 1): { per?: number; times?: number } => {
  const per = Math.round(1 / resolution);
  return resolution < 1 && Math.abs(per * resolution - 1) < 1e-9 ? { per } : { times: resolution };
};

function fieldOf({ id, bits, signed = false, resolution, offset, unit, strings }: FieldEntry): Field {
  if (id === undefined || id.startsWith("_")) return skip(bits);
  const wire = wireType(bits, signed);
  if (strings !== undefined) return choice(wire, { ...strings });
  const number = Number.isInteger(resolution ?? 1) && Number.isInteger(offset ?? 0) ? integer : decimal;
  return number(wire, {
    ...resolutionOf(resolution),
    ...(offset === undefined ? {} : { offset }),
    ...(unit === undefined ? {} : { unit }),
  });
}

/** Why a layout cannot be read, if so: numbers wider than 32 bits need whole bytes, texts at most 8 bits. */
function faultOf(entries: readonly FieldEntry[]): string | undefined {
  const names = new Set<string>();
  let bit = 0;
  for (const [index, { id, bits, signed, strings }] of entries.entries()) {
    const where = `field ${index + 1}`;
    if (id !== undefined && !id.startsWith("_")) {
      if (names.has(id)) return `${where}: ${id} is there twice`;
      names.add(id);
      const shift = bit % 8;
      const isWide = shift === 0 && ((bits === 64 && signed === true) || (bits === 40 && signed !== true));
      if (shift + bits > 32 && !isWide) return `${where}: ${bits} bits cannot be read at bit ${bit}`;
      if (strings !== undefined && (bits > 8 || signed === true)) return `${where}: texts need 1 to 8 unsigned bits`;
    }
    bit += bits;
  }
  return bit > 223 * 8 ? "more than 223 bytes" : undefined;
}

function definitionOf(number: number, title: string, layout: z.infer<typeof layoutEntry>): Definition | string {
  const fault = faultOf(layout.fields);
  if (fault !== undefined) return fault;
  const fields = Object.fromEntries(
    layout.fields.map((entry, index) => [entry.id ?? `_${index}`, fieldOf(entry)] as const),
  );
  const bits = Object.values(fields).reduce((sum, field) => sum + (bitsOf(field) ?? 0), 0);
  if (layout.transport === "single" && bits > 64) return "more than 8 bytes in a single frame";
  return pgn(number, title, fields, {
    transport: layout.transport ?? (bits > 64 ? "fast" : "single"),
    origin: "operator",
  });
}

const titles = new Map(assumed.map(({ definition }) => [definition.pgn, definition.title]));

/**
 * The switches of a settings entry, whatever it is, and a sentence for each thing in it that cannot be used, in place of
 * which the switches `before` hold.
 */
export function readSwitches(
  entry: unknown,
  before: Switches = new Map(),
): { switches: Switches; warnings: readonly string[] } {
  const switches = new Map<number, Switch>();
  const warnings: string[] = [];
  const table = typeof entry === "object" && entry !== null && "pgn" in entry ? entry.pgn : undefined;
  if (table === undefined) return { switches, warnings };
  if (typeof table !== "object" || table === null || Array.isArray(table))
    return { switches: before, warnings: ["pgn is not an object of switches by PGN"] };
  /** What cannot be read must not turn an operator's "off" into a guess. */
  const keep = (pgn: number): void => {
    const held = before.get(pgn);
    if (held !== undefined) switches.set(pgn, held);
  };
  for (const [key, value] of Object.entries(table)) {
    const title = titles.get(Number(key));
    if (title === undefined || !/^\d{6}$/.test(key)) {
      warnings.push(`${key} is not one of the PGNs of assumed layout`);
      continue;
    }
    const asWord = word.safeParse(value);
    if (asWord.success) {
      switches.set(Number(key), asWord.data);
      continue;
    }
    const layout = layoutEntry.safeParse(value);
    if (!layout.success) {
      warnings.push(`${key} is neither auto, assumed, public or off nor a list of fields`);
      keep(Number(key));
      continue;
    }
    const definition = definitionOf(Number(key), title, layout.data);
    if (typeof definition === "string") {
      warnings.push(`${key} ${definition}`);
      keep(Number(key));
    } else switches.set(Number(key), definition);
  }
  return { switches, warnings };
}
