/**
 * The table of public PGNs: layouts of the canboat database (npm package @canboat/ts-pgns, Apache-2.0), written in the
 * terms of `src/core/n2k/definition.ts` with names and units by the rules of the document. `src/core/n2k/public-pgns.ts` makes
 * definitions of it.
 *
 * Each line is a kind, a space, a name or PGN, a space, and JSON: the texts of a list of codes, of a bit field or of a
 * field with a key; or a layout of a PGN. The layouts of a PGN are in the order in which they are tried.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sourceModule } from "./bundle.mjs";
import { canboatDatabase, transports } from "./canboat.mjs";

/** The highest PGN of NMEA 2000; higher numbers are messages of gateways about themselves. */
const HIGHEST_PGN = 0x1ffff;

/** PGNs of the ISO transport, from which reassembly makes messages. */
const transport = new Set([60160, 60416]);

/**
 * Published unit of a unit on the wire, and the suffix of the field's name. A name such as `celsius` is a conversion of
 * `src/core/n2k/units.ts`.
 *
 * @type {Readonly<
 *   Record<string, readonly [NonNullable<import("../src/core/n2k/public-pgns.ts").NumberRow["unit"]>, string]>
 * >}
 */
const units = {
  "%": ["%", "Percent"],
  A: ["A", "A"],
  Ah: ["Ah", "Ah"],
  Hz: ["Hz", "Hz"],
  K: ["celsius", "C"],
  L: ["L", "L"],
  "L/h": ["L/h", "Lh"],
  Pa: ["kilopascal", "Kpa"],
  "Pa/hr": ["Pa/h", "PaPerHour"],
  T: ["T", "Tesla"],
  V: ["V", "V"],
  VA: ["VA", "Va"],
  VAR: ["var", "Var"],
  W: ["W", "W"],
  dB: ["dB", "Db"],
  deg: ["deg", "Deg"],
  kWh: ["kWh", "Kwh"],
  m: ["m", "M"],
  "m/s": ["knots", "Knots"],
  ppm: ["ppm", "Ppm"],
  ppt: ["ppt", "Ppt"],
  rad: ["degrees", "Deg"],
  "rad/s": ["degreesPerSecond", "DegPerSec"],
  rpm: ["rpm", "Rpm"],
  s: ["s", "S"],
  "s/s": ["nanosecondsPerSecond", "NsPerS"],
  "semi-circle": ["semicircles", "Deg"],
  "semi-circle/s": ["semicirclesPerSecond", "DegPerSec"],
  "sqrt(m)": ["sqrt(m)", "SqrtM"],
};

/** Names of the document for fields that most messages have. */
const renamed = {
  manufacturerCode: "manufacturer",
  industryCode: "industryGroup",
  pgn: "aboutPgn",
  sid: "sequenceId",
  // A name does not begin with a digit.
  "420MaData": "data420Ma",
  "010VData": "data010V",
  "3AxisSpeedSmoothing": "threeAxisSpeedSmoothing",
  "3AxisOffset": "threeAxisOffset",
};

/** The same for numbers of stations. */
const renamedStations = { sourceId: "mmsi", userId: "mmsi", destinationId: "destinationMmsi" };

/** Texts of codes without a value. */
const noValue = /^(reserved( for .*)?|not available|unavailable|undefined|default: undefined|error)$/i;

const isFilling = ({ FieldType }) => FieldType === "RESERVED" || FieldType === "SPARE";

/** Steps per unit or units per step; steps of 2^-n and 1/360e6 are written with six digits. */
function resolutionOf(step = 1) {
  const per = Math.round(1 / step);
  return per > 1 && Math.abs(per * step - 1) < 1e-5 ? { per } : step === 1 ? {} : { times: step };
}

/** Codes at the top of a number that are not values, as in `wire.ts`. */
const codesAbove = (bits) => (bits >= 8 ? 3 : bits >= 4 ? 2 : bits >= 2 ? 1 : 0);

/** The highest raw number, if it differs from that of `wire.ts` for the width. */
function highestOf({ BitLength: bits, RangeMax: max, Resolution: step = 1, Offset: offset = 0 }, isSigned) {
  const top = 2 ** (isSigned ? bits - 1 : bits) - 1;
  // Beyond 2^50 the database has rounded numbers.
  if (max === undefined || bits > 50) return {};
  const highest = Math.min(top, Math.round((max - offset) / step));
  const usual = top - codesAbove(bits);
  const isUsual = highest === usual || (highest < usual && usual - highest <= usual * 1e-6);
  return isUsual ? {} : { highest, ...(isSigned && highest < usual && { lowest: -highest }) };
}

/** Angles of one turn in steps of 0.0001 rad, by their highest raw number. */
const turns = new Set([62832, 31416]);

function numberOf(field) {
  const { BitLength: bits, FieldType, Unit, Resolution, Offset, Id } = field;
  // A number with an offset counts from there, as in SAE J1939, and has no sign of its own.
  const isSigned = field.Signed && Offset === undefined;
  const sign = isSigned ? { signed: true } : {};
  const base = { ...sign, ...highestOf(field, isSigned) };
  if (FieldType === "DATE") return ["", "days", bits, {}];
  if (FieldType === "TIME") return ["", Id === "time" ? "clock" : "timeOfDay", bits, {}];
  if (Id === "sid") return ["", "counter", bits, base];
  if (FieldType === "MMSI") return ["", "mmsi", bits, {}];
  if (Unit === "rad" && turns.has(base.highest)) return ["Deg", "angle", bits, sign];
  if (FieldType === "PGN") return ["", "number", bits, { highest: 2 ** bits - 1 }];
  if (FieldType === "DURATION" && Resolution === 60) return ["Min", "number", bits, { ...base, unit: "min" }];
  if (Unit === "deg" && /latitude|longitude/i.test(Id) && !/delta/i.test(Id))
    return ["", /latitude/i.test(Id) ? "latitude" : "longitude", bits, sign];
  if (Unit === "Cos Phi")
    return ["", "number", bits, { ...base, ...resolutionOf(Resolution), quantity: "powerFactor" }];
  // A difference of temperatures has no zero point.
  const isDifference = Unit === "K" && isSigned;
  const [unit, suffix] = isDifference ? ["K", "K"] : (units[Unit] ?? [undefined, ""]);
  if (Unit !== undefined && unit === undefined && Unit !== "d" && Unit !== "m/m")
    throw new Error(`unit ${Unit} of ${Id}`);
  return [
    suffix,
    FieldType === "FLOAT" ? "float" : "number",
    bits,
    { ...base, ...resolutionOf(Resolution), ...(Offset !== undefined && { offset: Offset }), ...(unit && { unit }) },
  ];
}

/** Suffix of the name, and the field without its name. */
function fieldOf(field, position, isLast = false) {
  const { FieldType, BitLength: bits } = field;
  switch (FieldType) {
    case "RESERVED":
      return ["", "reserved", bits];
    case "SPARE":
      return ["", "spare", bits];
    case "LOOKUP":
      // A field with a fixed value lists only that one.
      return ["", "choice", bits, field.LookupEnumeration, ...(field.Match === undefined ? [] : [Number(field.Match)])];
    case "DYNAMIC_FIELD_KEY":
      return ["", "choice", bits, field.LookupFieldTypeEnumeration];
    case "BITLOOKUP":
      return ["", "bits", bits, field.LookupBitEnumeration];
    case "STRING_FIX":
      return ["", "text", bits / 8, ...(isLast ? ["partial"] : [])];
    case "STRING_LAU":
      return ["", "lauText"];
    case "STRING_LZ":
      return ["", "lzText"];
    case "ISO_NAME":
      return ["", "digits", bits];
    case "DYNAMIC_FIELD_LENGTH":
      return ["", "number", bits, { highest: 2 ** bits - 1 }];
    case "BINARY":
      if (bits === undefined) return ["", "hex"];
      return bits % 8 === 0 && position % 8 === 0
        ? ["", "hex", bits / 8]
        : ["", "number", bits, { highest: 2 ** bits - 1 }];
    default:
      return numberOf(field);
  }
}

/** A unique name in the layout. */
function nameOf(field, suffix, taken) {
  const known = field.FieldType === "MMSI" ? renamedStations : renamed;
  const id = known[field.Id] ?? field.Id.replace(/^[A-Z]+/, (capitals) => capitals.toLowerCase());
  const isHidden = isFilling(field);
  const base = isHidden
    ? `_${id.replace(/\d+$/, "")}`
    : id.toLowerCase().endsWith(suffix.toLowerCase())
      ? id
      : id + suffix;
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base}${number}`;
  taken.add(name);
  return name;
}

function fieldsOf(list, taken, from = 0) {
  let bit = from;
  return list.map((field, index) => {
    const [suffix, kind, ...rest] = fieldOf(field, bit, index === list.length - 1);
    bit += field.BitLength ?? 0;
    const isKey = (field.PartOfPrimaryKey || field.Match !== undefined) && Number.isFinite(bit);
    if (field.BitLength === undefined) bit = Number.NaN;
    return [nameOf(field, suffix, taken), `${kind}${isKey ? "*" : ""}`, ...rest];
  });
}

/** Bits of the longest message by its transport. */
const longest = { single: 8 * 8, fast: 223 * 8 };

/**
 * The fields, and the bytes behind them in hexadecimal, if a message may have some. Without a field that has a value,
 * the reserved bits behind the manufacturer are such bytes: more is not known of the message.
 */
function withRest(fields, list, type, taken) {
  const bits = list.reduce((sum, { BitLength }) => sum + (BitLength ?? Number.NaN), 0);
  const known = list.findLastIndex((field) => !isFilling(field)) + 1;
  const knownBits = list.slice(0, known).reduce((sum, { BitLength }) => sum + (BitLength ?? Number.NaN), 0);
  const saysNothing = list[known - 1]?.Id === "industryCode" && bits > knownBits;
  const isOpen = Number.isFinite(bits) && bits % 8 === 0 && bits < longest[transports[type]];
  if (!saysNothing && !isOpen) return fields;
  return [...fields.slice(0, saysNothing ? known : fields.length), [nameOf({ Id: "data" }, "", taken), "hex"]];
}

/** Fields of a layout; a set that repeats to its end is a list. */
function layoutOf({ Type, Fields, RepeatingFieldSet1StartField: start, RepeatingFieldSet1CountField: countField }) {
  const taken = new Set(["pgn", "title"]);
  const head = Fields.slice(0, start === undefined ? Fields.length : start - 1);
  const fields = fieldsOf(
    head.filter(({ FieldType }) => FieldType !== "DYNAMIC_FIELD_VALUE"),
    taken,
  );
  const set = start === undefined ? [] : Fields.slice(start - 1);
  const valueIn = (list) => list.find(({ FieldType }) => FieldType === "DYNAMIC_FIELD_VALUE");
  const keyed = (list, names) => {
    if (valueIn(list) === undefined) return [];
    const indexOf = (type) => list.findIndex(({ FieldType }) => FieldType === type);
    const code = indexOf("DYNAMIC_FIELD_KEY");
    const length = names[indexOf("DYNAMIC_FIELD_LENGTH")]?.[0] ?? null;
    return [["_value", "keyed", `${list[code].LookupFieldTypeEnumeration} ${names[code][0]}`, length]];
  };
  if (set.length === 0) return withRest([...fields, ...keyed(head, fields)], head, Type, taken);
  const count = countField === undefined ? null : fields[countField - 1][0];
  const inner = fieldsOf(
    set.filter(({ FieldType }) => FieldType !== "DYNAMIC_FIELD_VALUE"),
    new Set(),
  );
  const withoutKeys = inner.map(([name, kind, ...rest]) => [name, kind.replace("*", ""), ...rest]);
  return [...fields, ["list", "repeat", count, [...withoutKeys, ...keyed(set, inner)]]];
}

/** Bit, width and value of each field that distinguishes the layouts of a PGN. */
function matchesOf({ Fields }) {
  const matches = [];
  let bit = 0;
  Fields.forEach(({ Match, BitLength }, index) => {
    if (Match !== undefined) matches.push({ bit, bits: BitLength, value: Number(Match), index });
    bit += BitLength ?? Number.NaN;
  });
  return matches;
}

const isCommand =
  /\b(command|request|keystroke|keypad (message|control)|wireless keypad|calibrate|media control|sirius control|set (source|mute|power|zone|all))\b/i;
const isAlert = /\b(alert|alarm)\b/i;

/** Meaning of a message as a whole, by its title. */
function meaningOf({ Description: title, TransmissionIrregular: irregular, PGN: pgn }) {
  const about = isCommand.test(title)
    ? "command"
    : isAlert.test(title)
      ? "alert"
      : pgn >= 129792 && pgn <= 129810
        ? "target"
        : /^Route and WP/.test(title)
          ? "route"
          : undefined;
  const event = irregular || about === "command" || about === "alert";
  return { ...(about && { about }), ...(event && { event: true }) };
}

const wireMatches = (list) => list.map(({ bit, bits, value }) => [bit, bits, value]);

/** A layout of the database. */
const wholeLayout = (pgn) => [
  pgn.Description.trim(),
  transports[pgn.Type],
  wireMatches(matchesOf(pgn)),
  layoutOf(pgn),
  meaningOf(pgn),
];

/** Layouts for messages that match only the first matching fields: the part known before the next one fails. */
function* partialLayouts(pgn) {
  const { Description: title, Type, Fields } = pgn;
  const matches = matchesOf(pgn);
  const fields = layoutOf(pgn);
  for (let known = matches.length - 1; known > 0; known--) {
    const next = matches[known];
    // A layout with only the manufacturer has no more than the catch-all of the range.
    if ((next.bit + next.bits) % 8 !== 0 || Fields[next.index].Id === "industryCode") continue;
    const maker = title.includes(":") ? `${title.split(":")[0]}: ` : "";
    const [name, kind, bits, list] = fields[next.index];
    const part = [...fields.slice(0, next.index), [name, kind, bits, list], ["data", "hex"]];
    yield [`${maker}Unknown`, transports[Type], wireMatches(matches.slice(0, known)), part, { event: true }];
  }
}

/** Whether every message of one layout has the bits of another. */
const includes = ([, , one], [, , other]) => other.every((match) => one.some((each) => String(each) === String(match)));

/** The layouts by PGN. */
function byPgn(all) {
  const groups = new Map();
  for (const pgn of all) groups.set(pgn.PGN, [...(groups.get(pgn.PGN) ?? []), pgn]);
  return groups;
}

/** The layouts of a PGN: whole ones in the order of the database, then partial ones, the most specific first. */
function layoutsOf(variants) {
  const whole = variants.map(wholeLayout);
  const partial = new Map();
  for (const layout of variants.flatMap((pgn) => [...partialLayouts(pgn)])) {
    const place = String(layout[2]);
    if (!partial.has(place) && !whole.some((other) => includes(layout, other))) partial.set(place, layout);
  }
  return [...whole, ...[...partial.values()].sort(([, , one], [, , other]) => other.length - one.length)];
}

/** Values by key that are signed, as canboat 8 has them; 6.2 does not say so. */
const signedValues = new Set(["SIMNET_KEY_VALUE 0", "SIMNET_KEY_VALUE 41"]);

function* codesIn({ LookupEnumerations, LookupFieldTypeEnumerations, LookupBitEnumerations }) {
  for (const { Name, EnumValues } of LookupEnumerations) {
    const texts = EnumValues.filter(({ Name: text }) => !noValue.test(text)).map(({ Value, Name: text }) => [
      Value,
      text,
    ]);
    const without = EnumValues.filter(({ Name: text }) => noValue.test(text)).map(({ Value }) => Value);
    yield ["codes", Name, [Object.fromEntries(texts), without]];
  }
  for (const { Name, EnumBitValues } of LookupBitEnumerations)
    yield ["bits", Name, Object.fromEntries(EnumBitValues.map(({ Bit, Name: text }) => [Bit, text]))];
  for (const { Name, EnumFieldTypeValues } of LookupFieldTypeEnumerations) {
    yield ["codes", Name, [Object.fromEntries(EnumFieldTypeValues.map(({ value, name }) => [value, name])), []]];
    const values = EnumFieldTypeValues.map((entry) => {
      const isSigned = signedValues.has(`${Name} ${entry.value}`);
      const field = { ...entry, Id: "value", BitLength: Number(entry.Bits), ...(isSigned && { Signed: true }) };
      const [suffix, ...rest] = fieldOf(field, 0);
      return [entry.value, [`value${suffix}`, ...rest]];
    });
    yield ["keyed", Name, Object.fromEntries(values)];
  }
}

/** The lists of codes that a layout refers to. */
const listsIn = (fields) =>
  fields.flatMap(([, kind, ...rest]) =>
    /^(choice|bits)/.test(kind) ? [rest[1]] : kind === "repeat" ? listsIn(rest[1]) : [],
  );

/** The PGNs that have a definition in the source. */
async function definedPgns() {
  const { definitions, reportOnly } = await sourceModule("src/core/n2k/pgns/index.ts");
  return new Set([...definitions, ...reportOnly].map(({ pgn }) => pgn));
}

/**
 * The table as text, without the PGNs `elsewhere`, by default those that are defined in the source.
 *
 * @param {ReadonlySet<number>} [elsewhere]
 */
export async function publicPgnTable(elsewhere) {
  const canboat = canboatDatabase();
  const defined = elsewhere ?? (await definedPgns());
  const all = canboat.PGNs.filter(
    ({ PGN, Fallback }) => PGN <= HIGHEST_PGN && !Fallback && !transport.has(PGN) && !defined.has(PGN),
  );
  const layouts = [...byPgn(all)]
    .sort(([one], [other]) => one - other)
    .flatMap(([number, variants]) => layoutsOf(variants).map((layout) => ({ number, layout })));
  const lists = [...codesIn(canboat)];
  const keyed = lists.filter(([kind]) => kind === "keyed").flatMap(([, , fields]) => Object.values(fields));
  const fields = [...layouts.flatMap(({ layout }) => layout[3]), ...keyed];
  const used = new Set(["MANUFACTURER_CODE", "INDUSTRY_CODE", ...listsIn(fields)]);
  const lines = [
    ...layouts.map(({ number, layout }) => `pgn ${number} ${JSON.stringify(layout)}`),
    ...lists
      .filter(([kind, name]) => kind === "keyed" || used.has(name))
      .map(([kind, name, value]) => `${kind} ${name} ${JSON.stringify(value)}`),
  ];
  return `canboat ${canboat.Version}\n${lines.join("\n")}\n`;
}

/** Writes the table to a file. */
export async function writePublicPgns(path) {
  writeFileSync(path, await publicPgnTable());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writePublicPgns(process.argv[2]);
