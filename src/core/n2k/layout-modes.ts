/**
 * The operator's choices in the entry `can` of the deployed settings: how each PGN of assumed layout is read, and which
 * PGNs beyond the document are published:
 *
 *     {"name": "can", "pgn": {"127490": "off", "127495": [{"id": "engineInstance", "bits": 8}, …]},
 *      "public": [65013, 130842]}
 *
 * A value that cannot be used gives a warning and leaves what was in force.
 */
import * as z from "zod";
import { entry, type Warn } from "../report/read-entry.ts";
import { type Definition, pgn } from "./definition.ts";
import { bitsOf, type Field, type Mark } from "./field.ts";
import { assumed } from "./pgns/assumed.ts";
import { choice, decimal, integer, skip } from "./verbs.ts";
import { wireType } from "./wire.ts";

/**
 * `auto` detects whether a message has the assumed or the public layout, `assumed` and `public` read every message by
 * that layout, `off` publishes the number only, and a definition is the operator's own layout.
 */
export type LayoutMode = "auto" | "assumed" | "public" | "off" | Definition;

/** Layout modes by PGN; `auto` for a PGN that is not listed. */
export type LayoutModes = ReadonlyMap<number, LayoutMode>;

const fieldEntry = z.strictObject({
  /** Published name; the bits are skipped without one, or if it begins with an underscore. */
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
  /** Part of the key (`key` in field.ts); by default the same as the field of this name in the assumed layout. */
  key: z.boolean().optional(),
  /** Counts messages (`counter` in verbs.ts); by default as `key`. */
  counter: z.boolean().optional(),
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

const publicEntry = z.union([z.boolean(), z.array(z.int().min(0).max(0x1ffff))]);

/** The part of the entry that the form has; the operator writes own layouts by hand. */
const schema = z.object({
  pgn: z
    .object(
      Object.fromEntries(
        assumed.map(({ definition: { pgn, title } }) => [String(pgn), word.optional().describe(`${pgn} ${title}`)]),
      ),
    )
    .optional()
    .meta({ title: "How each is decoded" }),
  public: publicEntry.optional().describe("public PGNs that are published beside those of the document: all, or these"),
});

/** 0.25 becomes a division by 4, which keeps 65 x 0.01 at 0.65. */
const resolutionOf = (resolution = 1): { per?: number; times?: number } => {
  const per = Math.round(1 / resolution);
  return resolution < 1 && Math.abs(per * resolution - 1) < 1e-9 ? { per } : { times: resolution };
};

/** A field of the operator's, with the meaning of the field of the same name in the assumed layout. */
function fieldOf(entry: FieldEntry, assumedField: Field | undefined): Field {
  const field = fieldWithoutMeaning(entry);
  const meant =
    field.kind === "number" && assumedField?.kind === "number"
      ? { ...field, quantity: assumedField.quantity, label: assumedField.label }
      : field;
  const marks: readonly Mark[] = ["key", "counter", "everyday"];
  const has = { ...assumedField, ...entry } as Partial<Record<Mark, boolean>>;
  return { ...meant, ...Object.fromEntries(marks.filter((mark) => has[mark]).map((mark) => [mark, true])) };
}

function fieldWithoutMeaning({ id, bits, signed = false, resolution, offset, unit, strings }: FieldEntry): Field {
  if (id === undefined || id.startsWith("_")) return skip(bits);
  const wire = wireType(bits, signed);
  if (strings !== undefined) return choice(wire, { ...strings });
  const number = Number.isInteger(resolution ?? 1) && Number.isInteger(offset ?? 0) ? integer : decimal;
  // The unit may be any text.
  return { ...number(wire, { ...resolutionOf(resolution), ...(offset === undefined ? {} : { offset }) }), unit };
}

/**
 * The reason why a layout cannot be compiled, undefined if it can: numbers wider than 32 bits need whole bytes, texts
 * at most 8 bits.
 */
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

function definitionOf(table: Definition, layout: z.infer<typeof layoutEntry>): Definition | string {
  const fault = faultOf(layout.fields);
  if (fault !== undefined) return fault;
  const fields = Object.fromEntries(
    layout.fields.map((entry, index) => {
      const name = entry.id ?? `_${index}`;
      return [name, fieldOf(entry, table.fields[name] ?? table.fields[`_${name}`])] as const;
    }),
  );
  const bits = Object.values(fields).reduce((sum, field) => sum + (bitsOf(field) ?? 0), 0);
  if (layout.transport === "single" && bits > 64) return "more than 8 bytes in a single frame";
  return pgn(table.pgn, table.title, fields, {
    transport: layout.transport ?? (bits > 64 ? "fast" : "single"),
    origin: "operator",
    about: table.about,
    event: table.event,
  });
}

const assumedByPgn = new Map(assumed.map(({ definition }) => [definition.pgn, definition]));

/** The PGNs beyond the document that are published: none, all, or these. */
export type PublicSetting = boolean | ReadonlySet<number>;

export interface CanSettings {
  readonly modes: LayoutModes;
  readonly published: PublicSetting;
}

/**
 * A PGN whose value cannot be used keeps its mode that is in force.
 *
 * @example canSettings.read({ name: "can", pgn: { 127490: "off" } }).settings.modes // Map { 127490 => "off" }
 */
export const canSettings = entry<CanSettings>("can", {
  title: "Assumed PGNs",
  schema,
  byDefault: { modes: new Map(), published: false },
  members: {
    modes: ["pgn", (value, warn, before) => readModes(value, before, warn)],
    published: ["public", (value, warn) => readPublished(value, warn)],
  },
  unknown: null,
});

function readModes(table: unknown, before: LayoutModes, warn: Warn): LayoutModes | undefined {
  if (typeof table !== "object" || table === null || Array.isArray(table)) {
    warn(["pgn"], "is not an object of modes by PGN");
    return undefined;
  }
  const modes = new Map<number, LayoutMode>();
  for (const [number, value] of Object.entries(table)) {
    const pgn = Number(number);
    const assumedDefinition = assumedByPgn.get(pgn);
    if (assumedDefinition === undefined || !/^\d{6}$/.test(number)) {
      warn(["pgn", number], "is not one of the PGNs of assumed layout");
      continue;
    }
    // An unreadable value must not turn an operator's "off" into "auto".
    const mode = modeOf(value, assumedDefinition, (problem) => warn(["pgn", number], problem)) ?? before.get(pgn);
    if (mode !== undefined) modes.set(pgn, mode);
  }
  return modes;
}

function modeOf(
  value: unknown,
  assumedDefinition: Definition,
  refuse: (problem: string) => void,
): LayoutMode | undefined {
  const asWord = word.safeParse(value);
  if (asWord.success) return asWord.data;
  const layout = layoutEntry.safeParse(value);
  const definition = layout.success
    ? definitionOf(assumedDefinition, layout.data)
    : "is neither auto, assumed, public or off nor a list of fields";
  if (typeof definition !== "string") return definition;
  refuse(definition);
  return undefined;
}

function readPublished(value: unknown, warn: Warn): PublicSetting | undefined {
  const parsed = publicEntry.safeParse(value);
  if (parsed.success) return Array.isArray(parsed.data) ? new Set(parsed.data) : parsed.data;
  warn(["public"], "is neither true, false nor a list of PGNs");
  return undefined;
}
