/**
 * Writes `src/core/n2k/public-database.ts`: titles of the public PGNs, manufacturers, industry groups and device functions
 * by code. The build writes it, and git does not track it, so that it always comes from the database of
 * package-lock.json.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { canboatDatabase, transports } from "./canboat.mjs";

/** Numbers from here on are messages of gateways about themselves. */
const FIRST_OF_GATEWAYS = 0x40000;

/** Common titles of the variants of one PGN. */
const commonTitles = {
  60416: "ISO Transport Protocol, Connection Management",
  126208: "NMEA - Group Function",
  129808: "DSC Call Information",
};

/** Proprietary PGNs have the transport and the title of their range. */
const isProprietary = (pgn) =>
  pgn === 0xef00 || pgn === 0x1ef00 || (pgn >= 0xff00 && pgn <= 0xffff) || (pgn >= 0x1ff00 && pgn <= 0x1ffff);

function publicPgns({ PGNs }) {
  const rows = new Map();
  for (const { PGN: pgn, Type, Description, Fallback, TransmissionInterval: periodMs } of PGNs) {
    if (pgn >= FIRST_OF_GATEWAYS || Fallback || isProprietary(pgn) || rows.has(pgn)) continue;
    rows.set(pgn, { pgn, transport: transports[Type], title: commonTitles[pgn] ?? Description, periodMs });
  }
  return [...rows.values()].sort((one, other) => one.pgn - other.pgn);
}

const namesOf = ({ LookupEnumerations }, list) =>
  LookupEnumerations.find(({ Name }) => Name === list).EnumValues.map(({ Value, Name }) => [Value, Name]);

/** Class, function and name. */
const functionsOf = ({ LookupIndirectEnumerations }) =>
  LookupIndirectEnumerations.find(({ Name }) => Name === "DEVICE_FUNCTION").EnumValues.map(
    ({ Value1, Value2, Name }) => [Value1, Value2, Name],
  );

/** A list as source text, an item a line. */
const listText = (items) => `[\n${items.map((item) => `  ${JSON.stringify(item)},\n`).join("")}]`;

const declaration = (name, comment, type, items) =>
  `\n/** ${comment} */\nexport const ${name}: readonly ${type}[] = ${listText(items)};\n`;

/** The module as text. */
export function publicNamesModule(database = canboatDatabase()) {
  return [
    `/** Names of the canboat database ${database.Version} (Apache-2.0). Written by scripts/public-names.mjs. */\n`,
    declaration(
      "publicPgns",
      "By number; the transport of a proprietary PGN follows from its range. `periodMs`: at which a stream is sent by default.",
      '{ readonly pgn: number; readonly transport: "single" | "fast" | "isoTp"; readonly title: string; readonly periodMs?: number }',
      publicPgns(database),
    ),
    declaration(
      "manufacturers",
      "Code and name.",
      "(readonly [number, string])",
      namesOf(database, "MANUFACTURER_CODE"),
    ),
    declaration("industryGroups", "Code and name.", "(readonly [number, string])", namesOf(database, "INDUSTRY_CODE")),
    declaration(
      "deviceFunctions",
      "Class, function within the class, and name.",
      "(readonly [number, number, string])",
      functionsOf(database),
    ),
  ].join("");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(process.argv[2], publicNamesModule());
