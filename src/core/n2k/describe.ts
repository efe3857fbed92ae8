/** The definitions read as a reference: one Markdown section per PGN, one row per field. */

import type { Definition } from "./definition.ts";
import { bitsOf, type Field, type Fields, isPublished, joinedBits, minimumBits, type NumberField } from "./field.ts";
import { keyNames, type PlacedField, placedFields, publishedFields } from "./layout.ts";
import { assumed } from "./pgns/assumed.ts";
import { chapters, reportOnly } from "./pgns/index.ts";
import { alsoNumber, rawLimits } from "./scaling.ts";
import { bitsText, publishedValue, sentence } from "./schema.ts";

const transports = { single: "single frame", fast: "fast packet", isoTp: "ISO transport protocol" } as const;

const origins = {
  nmea2000: "public sources",
  j1939: "SAE J1939",
  assumed: "**assumed**",
  operator: "the operator",
  database: "public database",
} as const;

/** Bytes of the payload: exactly, or at least. */
function lengthOf({ fields, transport, bytes }: Definition): string {
  if (Object.keys(fields).length === 0) return "";
  const isVariable = Object.values(fields).some((field) => bitsOf(field) === undefined);
  const count = Math.ceil(minimumBits(fields) / 8);
  if (isVariable) return `, at least ${count} bytes`;
  return `, ${transport === "single" ? (bytes ?? 8) : count} bytes`;
}

/** 0.0001 rather than 1e-4; long fractions are cut to six digits. */
const stepText = (step: number): string => {
  const text = String(Number(step.toPrecision(6)));
  return text.includes("e") ? `1e${Math.round(Math.log10(step))}` : text;
};

/** Width and sign, or another wire format. */
function wireText(field: Field): string {
  switch (field.kind) {
    case "text":
    case "digitPairs":
      return `${field.bytes} bytes`;
    case "lauText":
      return "length, encoding, text";
    case "hex":
      return field.bytes === undefined ? "bytes to the end" : `${field.bytes} bytes`;
    case "lzText":
      return "length, text";
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

/** Type in JSON, unit, and possible values. */
type ValueText = readonly [type: string, unit: string, values: string];

/** Kinds of fields that are not just a text. */
const valueTexts: {
  readonly [Kind in Field["kind"]]?: (field: Extract<Field, { kind: Kind }>, fields: Fields) => ValueText;
} = {
  number: (field) => {
    const values = [numberText(field), list(field.codes ?? {}), bitsText(field.bits)].filter(Boolean).join(": ");
    return [field.integer ? "integer" : "number", field.unit ?? "", values];
  },
  also: (field, fields) => {
    const base = fields[field.of] as NumberField;
    const number = alsoNumber(base, field);
    const values = `${numberText(number, base)}, from \`${field.of}\``;
    return [number.integer ? "integer" : "number", number.unit ?? "", values];
  },
  alsoChoice: ({ choices, of }) => ["string", "", `${list(choices)}, from \`${of}\``],
  choice: ({ choices, otherwise, open, unit = "" }) => {
    const isNumber = typeof Object.values(choices)[0] === "number";
    const others = otherwise === undefined ? (open ? "; else the code in digits" : "") : `; else ${otherwise}`;
    return [isNumber ? "number" : "string", unit, `${list(choices)}${others}`];
  },
  bits: ({ names }) => ["array", "", `names of the bits that are set: ${list(names)}`],
  constant: ({ value }) => ["string", "", value],
  part: ({ modulo, decimals, of }) => {
    const limit = modulo === Number.POSITIVE_INFINITY ? "" : `below ${modulo}, `;
    return [decimals === 0 ? "integer" : "number", "", `${limit}part of \`${of}\``];
  },
  joined: (field, fields) => {
    const parts = field.of.map((of) => `\`${of.slice(1)}\``).join(" and ");
    return ["integer", "", `${2 ** joinedBits(field, fields) - 1} at most, bits of ${parts}`];
  },
  flag: () => ["boolean", "", ""],
  aboveZero: () => ["boolean", "", ""],
  length: ({ of }) => ["integer", "", `characters of \`${of}\``],
  sourceAddress: () => ["integer", "", "0 to 253, plus 256 for each further network"],
  never: ({ type }) => [type, "", "never published"],
  repeat: ({ count, times }) => {
    if (count !== undefined) return ["array", "", `as many as \`${count}\` says`];
    return ["array", "", times === undefined ? "to the end of the message" : `${times} times`];
  },
  hex: () => ["string", "", "lower-case hex"],
  digitPairs: ({ bytes }) => ["string", "", `${2 * bytes} digits`],
  digits: () => ["string", "", "decimal digits"],
};

function valueText(field: Field, fields: Fields): ValueText {
  const text = valueTexts[field.kind] as ((field: Field, fields: Fields) => ValueText) | undefined;
  return text?.(field, fields) ?? ["string", "", ""];
}

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

function* rowsOf(placed: readonly PlacedField[], fields: Fields, prefix = ""): Generator<string> {
  for (const { name, field, bit, when } of placed) {
    const [type, unit, values] = valueText(field, fields);
    const remarks = [values, when, field.note].filter(Boolean).join("; ");
    yield row([bit === undefined ? "" : String(bit), wireText(field), `\`${prefix}${name}\``, type, unit, remarks]);
    if (field.kind !== "repeat") continue;
    const inside = `${prefix}${name}[].`;
    if (field.numbered !== undefined)
      yield row(["", "", `\`${inside}${field.numbered}\``, "integer", "", `1 to ${field.times}`]);
    yield* rowsOf(publishedFields({ fields: field.group }), field.group, inside);
  }
}

const beyond = {
  fields: "All fields are beyond the document, which names this PGN without fields.",
  message: "The document does not have this PGN.",
} as const;

const ofDocument = new Set(Object.values(chapters).flat());

/** The origin of the message itself: the document, with a layout that may be assumed, or public sources. */
const originOf = (definition: Definition): string =>
  definition.origin === "assumed"
    ? "assumed"
    : ofDocument.has(definition) && definition.beyondDocument !== "message"
      ? "document"
      : "public";

const publicMessages = new Map(assumed.map((each) => [each.definition.pgn, each.public]));

/** The section of a PGN, under a heading of the third level. */
export function describePgn(definition: Definition): string {
  const { pgn, title, transport, origin, publicTitle, note, beyondDocument, event, deprecated } = definition;
  const fields = publishedFields(definition);
  const layout = fields.length === 0 ? "" : `Layout: ${origins[origin]}. `;
  const head = `Origin: ${originOf(definition)}. ${layout}${sentence(`${transports[transport]}${lengthOf(definition)}`)}`;
  const other = publicMessages.get(pgn);
  const keys = keyNames(definition);
  const members = other === undefined ? [] : publishedFields(other.definition).map(({ name }) => `\`${name}\``);
  const remarks = [
    publicTitle && `Public title: ${publicTitle}.`,
    deprecated && "Deprecated.",
    beyondDocument && beyond[beyondDocument],
    other &&
      `Public message: ${other.definition.title}, ${transports[other.definition.transport]}, ${other.bytes} bytes. A message that is detected as this one has ${members.length === 0 ? "`pgn` only" : `\`pgn\`, ${members.join(", ")} only`}.`,
    note && sentence(note),
    keys.length > 0 && `Key: ${keys.map((name) => (isPublished(name) ? `\`${name}\`` : name.slice(1))).join(", ")}.`,
    event && "Every message is an event.",
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
    .filter(({ name, field }) => !isPublished(name) && !(field.kind === "skip" && field.reserved))
    .map(({ name, bit }) => `${name.slice(1)}${bit === undefined ? "" : ` (bit ${bit})`}`);
  const unpublished = hidden.length === 0 ? [] : ["", `On the wire and not published: ${hidden.join(", ")}.`];
  return [`### ${pgn} ${title}`, "", [head, ...remarks].join(" "), "", ...table, ...unpublished].join("\n");
}

const introduction = `# PGNs

Every PGN that is published on \`{prefix}/device/{addr}/pgn/{pgn}\`, with the position of each field on the wire. Generated
from the definitions in \`src/core/n2k/pgns\`.

How to read it: **bit** is the first bit of the field, bit n being bit n mod 8 of byte n div 8, least significant first;
a field without one has no bits of its own or lies behind a part of variable length. **wire** is \`u\` unsigned or \`s\`
two's complement with the number of bits, little-endian. All fields but \`pgn\` are optional: a value that is not available,
in error, reserved or out of its range is absent, never null. Numbers are rounded once, to the last decimal that keeps
neighbouring raw numbers distinct; ties go up.

**Origin** is \`document\`, \`assumed\` for a PGN of the document whose layout no public source has, or \`public\` for one that
the document does not have.

**Key** fields tell the streams of one PGN and sender apart: messages with different keys are about different things, such
as two tanks. \`--max-rate\` limits each key by itself, and each has its own entities in Home Assistant. An **event** is a
message that is never limited, because the next one does not replace it.

**Assumed** layouts: no public source gives the PGN the meaning it has here. Each has a mode in the deployed settings,
\`{"name": "can", "pgn": {"127490": "off"}}\`: \`auto\`, \`assumed\`, \`public\`, \`off\`, or a list of fields
\`{"id", "bits", "signed", "resolution", "offset", "unit", "strings", "key"}\`.

**The document** is the list of messages that hub was made to publish: PGNs with their titles, fields, units and fixed
texts. \`test/core/n2k/document.ts\` has it word for word, and the definitions are tested against it.`;

/** The introduction to the reference of the PGNs of the public database. */
export const publicIntroduction = `# Public PGNs

PGNs that the document does not have: published with \`--all-pgns\`, or where the entry \`can\` of the settings asks for them,
\`{"name": "can", "public": true}\` or \`"public": [65013, 130842]\`. The layouts are those of the
canboat database 6.2 (npm package @canboat/ts-pgns, Apache-2.0), with names and units by the rules of the [other PGNs](pgns.md).
canboat 8, of which npm has no package, has newer definitions of PGNs 65280, 65295, 65301, 65304, 65323, 65350, 130822, 130827, 130840
and 130845; of the last the signs of the heading offset and the time zone offset are those of canboat 8.

Several messages may share a PGN, above all those of manufacturers: the first layout whose fields with a fixed value match
is taken, and the member \`title\` names it. Of a message that matches none its manufacturer is published, as far as it is
known, and \`data\`, the rest of its bytes. A code that has no text is published as its digits; bit fields are lists of the names of
the bits that are set.`;

/** The whole reference as Markdown. */
export const pgnReference = (): string =>
  [
    introduction,
    ...Object.entries(chapters).flatMap(([title, definitions]) => [`## ${title}`, ...definitions.map(describePgn)]),
    "## Not published by themselves",
    "These feed the reports about devices and navigation.",
    ...reportOnly.map(describePgn),
  ].join("\n\n") + "\n";
