/** The table read as a reference for people: one Markdown section per PGN, one row per field. */
import { alsoNumber, rawLimits } from "./compile.ts";
import {
  bitsOf,
  type Definition,
  type Field,
  type Fields,
  isPublished,
  minimumBits,
  type NumberField,
} from "./field.ts";
import { type PlacedField, placedFields, publishedFields } from "./layout.ts";
import { assumed } from "./pgns/assumed.ts";
import { chapters, reportOnly } from "./pgns/index.ts";
import { publishedValue } from "./schema.ts";

const transports = { single: "single frame", fast: "fast packet", isoTp: "ISO transport protocol" } as const;

const origins = {
  nmea2000: "public sources",
  j1939: "SAE J1939",
  assumed: "**assumed**",
  operator: "the operator",
} as const;

/** Bytes of the payload: exactly, or at least. */
function lengthOf({ fields, transport, bytes }: Definition): string {
  if (Object.keys(fields).length === 0) return "";
  const isVariable = Object.values(fields).some((field) => bitsOf(field) === undefined);
  const count = Math.ceil(minimumBits(fields) / 8);
  if (isVariable) return `, at least ${count} bytes`;
  return `, ${transport === "single" ? (bytes ?? 8) : count} bytes`;
}

/** 0.0001 rather than 1e-4; what is no short decimal keeps six digits. */
const stepText = (step: number): string => {
  const text = String(Number(step.toPrecision(6)));
  return text.includes("e") ? `1e${Math.round(Math.log10(step))}` : text;
};

/** Width and sign, or what else it is on the wire. */
function wireText(field: Field): string {
  switch (field.kind) {
    case "text":
    case "digitPairs":
      return `${field.bytes} bytes`;
    case "lauText":
      return "length, encoding, text";
    case "hex":
      return "bytes to the end";
    default:
      return "wire" in field ? `${field.wire.signed ? "s" : "u"}${field.wire.bits}` : "";
  }
}

const list = (choices: Readonly<Record<number, unknown>>): string =>
  Object.entries(choices)
    .map(([code, value]) => `${code} ${value}`)
    .join("; ");

const rangeText = (field: NumberField, limits = rawLimits(field)): string => {
  const [low, high] = limits;
  return `${publishedValue(field, low)} to ${publishedValue(field, high)}`;
};

const numberText = (field: NumberField, base = field): string => {
  const { times, per, decimals } = field.scale;
  const step = times / per;
  const wire = decimals > 0 || step !== 1 ? `, step ${stepText(step)}` : "";
  return `${rangeText(field, rawLimits(base))}${wire}`;
};

/** Type in JSON, unit, and which values there are. */
function valueText(field: Field, fields: Fields): readonly [type: string, unit: string, values: string] {
  switch (field.kind) {
    case "number": {
      const codes = list(field.codes ?? {});
      return [
        field.integer ? "integer" : "number",
        field.unit ?? "",
        [numberText(field), codes].filter(Boolean).join(": "),
      ];
    }
    case "also": {
      const base = fields[field.of] as NumberField;
      const number = alsoNumber(base, field);
      return [
        number.integer ? "integer" : "number",
        number.unit ?? "",
        `${numberText(number, base)}, from \`${field.of}\``,
      ];
    }
    case "alsoChoice":
      return ["string", "", `${list(field.choices)}, from \`${field.of}\``];
    case "choice": {
      const isNumber = typeof Object.values(field.choices)[0] === "number";
      const otherwise = field.otherwise === undefined ? "" : `; else ${field.otherwise}`;
      return [isNumber ? "number" : "string", field.unit ?? "", `${list(field.choices)}${otherwise}`];
    }
    case "part": {
      const limit = field.modulo === Number.POSITIVE_INFINITY ? "" : `below ${field.modulo}, `;
      return [field.decimals === 0 ? "integer" : "number", "", `${limit}part of \`${field.of}\``];
    }
    case "flag":
    case "aboveZero":
      return ["boolean", "", ""];
    case "length":
      return ["integer", "", `characters of \`${field.of}\``];
    case "sourceAddress":
      return ["integer", "", "0 to 253"];
    case "never":
      return [field.type, "", "never published"];
    case "repeat":
      return ["array", "", field.times === undefined ? "to the end of the message" : `${field.times} times`];
    case "hex":
      return ["string", "", "lower-case hex"];
    case "digitPairs":
      return ["string", "", `${2 * field.bytes} digits`];
    case "digits":
      return ["string", "", "decimal digits"];
    default:
      return ["string", "", ""];
  }
}

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

function* rowsOf(placed: readonly PlacedField[], fields: Fields, prefix = ""): Generator<string> {
  for (const { name, field, bit, when } of placed) {
    const [type, unit, values] = valueText(field, fields);
    const note = "note" in field ? field.note : undefined;
    const remarks = [values, when, note].filter((each) => each !== undefined && each !== "").join("; ");
    yield row([bit === undefined ? "" : String(bit), wireText(field), `\`${prefix}${name}\``, type, unit, remarks]);
    if (field.kind !== "repeat") continue;
    const inside = `${prefix}${name}[].`;
    if (field.numbered !== undefined)
      yield row(["", "", `\`${inside}${field.numbered}\``, "integer", "", `1 to ${field.times}`]);
    yield* rowsOf(publishedFields({ fields: field.group }), field.group, inside);
  }
}

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}${/[.!]$/.test(text) ? "" : "."}`;

const publicMessages = new Map(assumed.map((each) => [each.definition.pgn, each.public]));

/** The section of a PGN, under a heading of the third level. */
export function describePgn(definition: Definition): string {
  const { pgn, title, transport, origin, publicTitle, note, beyondDocument } = definition;
  const fields = publishedFields(definition);
  const layout = fields.length === 0 ? "" : `Layout from ${origins[origin]}. `;
  const head = `${layout}${sentence(`${transports[transport]}${lengthOf(definition)}`)}`;
  const other = publicMessages.get(pgn);
  const members = other === undefined ? [] : publishedFields(other.definition).map(({ name }) => `\`${name}\``);
  const remarks = [
    publicTitle && `In public: ${publicTitle}.`,
    beyondDocument && "All fields are beyond the document, which names this PGN without fields.",
    other &&
      `In public: ${other.definition.title}, ${transports[other.definition.transport]}, ${other.bytes} bytes. A message that is recognised as that one has ${members.length === 0 ? "`pgn` only" : `\`pgn\`, ${members.join(", ")} only`}.`,
    note && sentence(note),
  ].filter((each) => typeof each === "string");
  const table =
    fields.length === 0
      ? ["Only `pgn`."]
      : [
          row(["bit", "wire", "field", "type", "unit", "values"]),
          row(["--:", "---", "---", "---", "---", "---"]),
          ...rowsOf(fields, definition.fields),
        ];
  const hidden = placedFields(definition.fields)
    .filter(({ name, field }) => !isPublished(name) && !/^_reserved|^_spare/.test(name) && field.kind !== "pick")
    .map(({ name, bit }) => `${name.slice(1)}${bit === undefined ? "" : ` (bit ${bit})`}`);
  const unpublished = hidden.length === 0 ? [] : ["", `On the wire and not published: ${hidden.join(", ")}.`];
  return [`### ${pgn} ${title}`, "", [head, ...remarks].join(" "), "", ...table, ...unpublished].join("\n");
}

const introduction = `# PGNs

Every PGN that is published on \`{prefix}/device/{addr}/pgn/{pgn}\`, with the place of each field on the wire. Made from the
table in \`src/n2k/pgns\`.

How to read it: **bit** is the first bit of the field, bit n being bit n mod 8 of byte n div 8, least significant first;
a field without one takes no bits of its own or lies behind a part of variable length. **wire** is \`u\` unsigned or \`s\`
two's complement with the number of bits, little-endian. All fields but \`pgn\` are optional: what is not available, in
error, reserved or out of its range is absent, never null. Numbers are rounded once, to the last decimal that tells
neighbouring raw numbers apart; ties go up.

**Assumed** layouts are just that: no public source gives the PGN the meaning it has here. They are marked, and each can
be switched in the deployed settings: \`{"name": "can", "pgn": {"127490": "off"}}\` with \`auto\`, \`assumed\`, \`public\`, \`off\`
or a list of fields \`{"id", "bits", "signed", "resolution", "offset", "unit", "strings"}\`.

**The document** is the list of messages that hub was made to publish: 98 PGNs with their titles, fields, units and fixed
texts. \`test/n2k/document.ts\` has it word for word, and the table is held to it.`;

/** The whole reference as Markdown. */
export const pgnReference = (): string =>
  [
    introduction,
    ...Object.entries(chapters).flatMap(([title, definitions]) => [`## ${title}`, ...definitions.map(describePgn)]),
    "## Not published by themselves",
    "These feed the reports about devices and navigation.",
    ...reportOnly.map(describePgn),
  ].join("\n\n") + "\n";
