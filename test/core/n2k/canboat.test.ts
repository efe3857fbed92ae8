/**
 * Public layouts against the public database: place, width, sign, resolution, offset, enumeration and transport of
 * every field that both have. Each difference is deliberate, listed with its reason, and must still be there.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { publicNamesModule } from "../../../scripts/public-names.mjs";
import { publicPgnTable } from "../../../scripts/public-pgns.mjs";
import { type Definition, pgn } from "../../../src/core/n2k/definition.ts";
import { bitsOf, isPublished } from "../../../src/core/n2k/field.ts";
import { placedFields, publishedFields } from "../../../src/core/n2k/layout.ts";
import { Language, LanguageCode } from "../../../src/core/n2k/lookups.ts";
import { assumed } from "../../../src/core/n2k/pgns/assumed.ts";
import { definitions, reportOnly } from "../../../src/core/n2k/pgns/index.ts";
import { deviceFunctions, industryGroups, manufacturers, publicPgns } from "../../../src/core/n2k/public-database.ts";
import { proprietaryRanges } from "../../../src/core/n2k/public-names.ts";
import { type PublicPgns, publicPgns as sharedPgns } from "../../../src/core/n2k/public-pgns.ts";
import { integer } from "../../../src/core/n2k/verbs.ts";
import { u8 } from "../../../src/core/n2k/wire.ts";
import {
  type CanboatField,
  type CanboatPgn,
  canboat,
  canboatEnumeration,
  canboatPgns,
  conversionOf,
  type OurField,
  ours,
  sameAt,
  theirs,
} from "./canboat.ts";

const notAValue = "stands for no value; what is not available is absent";
const fixedByDocument = "strings fixed by the document";
const numberOfVolts = "a number of volts in the document";

/** Deliberate differences by PGN and field. */
const reasons: Readonly<Record<string, string>> = {
  "126208 parameters: width": "laid out as the function demands; taken as one piece",
  "126996 nmeaVersion: resolution": "an integer in the document",
  "126993 intervalS: resolution": "canboat 8.0.0-beta3 corrects it to 0.001 s, which fits the usual interval of 60 s",
  "129284 arrivalStatus: width": "two flags of two bits each, read as one",
  "129798 Reserved for Regional Applications: not published": "reserved",
};

/** Codes that are published otherwise than with the text of the database, by enumeration of the database. */
const reasonsOfCodes: Readonly<Record<string, string>> = {
  "AIS_SPECIAL_MANEUVER: 0 Not available is absent": notAValue,
  "AIS_SPECIAL_MANEUVER: 3 Reserved is absent": notAValue,
  "AIS_TRANSCEIVER: 5 Reserved is absent": notAValue,
  "ATON_TYPE: 0 Default: Type of AtoN not specified is absent": notAValue,
  "ATON_TYPE: 4 Reserved for future use is absent": notAValue,
  "BATTERY_VOLTAGE: 0 6V is 6": numberOfVolts,
  "BATTERY_VOLTAGE: 1 12V is 12": numberOfVolts,
  "BATTERY_VOLTAGE: 2 24V is 24": numberOfVolts,
  "BATTERY_VOLTAGE: 3 32V is 32": numberOfVolts,
  "BATTERY_VOLTAGE: 4 36V is 36": numberOfVolts,
  "BATTERY_VOLTAGE: 5 42V is 42": numberOfVolts,
  "BATTERY_VOLTAGE: 6 48V is 48": numberOfVolts,
  "DIRECTION_REFERENCE: 2 Error is absent": "the code for an error; an error is absent",
  "MAGNETIC_VARIATION: 1 Automatic Chart is Chart": fixedByDocument,
  "MAGNETIC_VARIATION: 2 Automatic Table is Table": fixedByDocument,
  "MAGNETIC_VARIATION: 3 Automatic Calculation is Calculation": fixedByDocument,
  "MAGNETIC_VARIATION: 9 WMM 2025 is absent": fixedByDocument,
  "OFF_ON: 2 (none) is Error": "an error of the switch, which is worth telling",
  "POSITION_FIX_DEVICE: 0 Default: undefined is absent": notAValue,
  "SHIP_TYPE: 0 Unavailable is absent": notAValue,
  "TANK_TYPE: 6 (none) is Gasoline": "petrol, which newer lists have",
  "TIME_STAMP: 60 Not available is absent": notAValue,
};

const filling = new Set(["RESERVED", "SPARE"]);

/** The published values of a field for the codes where they are not the texts of the database. */
function* codeDifferences(choices: Readonly<Record<number, unknown>>, enumeration = "(none)"): Generator<string> {
  const known = canboatEnumeration(enumeration);
  for (const code of new Set([...known.keys(), ...Object.keys(choices).map(Number)])) {
    const [here, there] = [choices[code], known.get(code)];
    if (here !== there) yield `${enumeration}: ${code} ${there ?? "(none)"} is ${here === undefined ? "absent" : here}`;
  }
}

/** The differences of a field that both have. */
function* differencesOf({ field, bits }: OurField, other: CanboatField): Generator<string> {
  if (field.kind === "also" || field.kind === "alsoChoice") return;
  if (bits !== other.BitLength) yield "width";
  else if ("wire" in field && field.wire.signed !== (other.Signed ?? false)) yield "sign";
  if (field.kind === "number" && other.Resolution !== undefined) {
    const [factor, addend] = conversionOf(other.Unit, field.unit);
    const step = field.scale.times / field.scale.per;
    if (Math.abs(step / (other.Resolution * factor) - 1) > 1e-9) yield "resolution";
    if (Math.abs(field.scale.offset - ((other.Offset ?? 0) * factor + addend)) > 1e-9) yield "offset";
  }
}

/** Differences of the fields, by PGN and field, and of codes, by enumeration and code. */
function compare(definition: Definition, pgn: CanboatPgn): { readonly fields: string[]; readonly codes: string[] } {
  const placed = placedFields(definition.fields);
  const list = ours(placed);
  const found: string[] = [];
  const codes: string[] = [];
  const note = (name: string, what: string): number => found.push(`${definition.pgn} ${name}: ${what}`);
  for (const other of theirs(pgn)) {
    if (filling.has(other.field.FieldType)) continue;
    const here = list.filter((each) => sameAt(each, other) && each.bits !== 0 && each.field.kind !== "skip");
    if (here.length === 0) {
      if (definition.beyondDocument) note(other.field.Name, "not published");
      continue;
    }
    // The two readings of an `either`: one of them must be like it.
    const each = here.map((one) => ({
      name: one.name,
      differences: [...differencesOf(one, other.field)],
      codes:
        one.field.kind === "choice" && one.bits === other.field.BitLength
          ? [...codeDifferences(one.field.choices, other.field.LookupEnumeration)]
          : [],
    }));
    const best = each.find(({ differences, codes }) => differences.length + codes.length === 0) ?? each[0]!;
    const { name } = best;
    for (const difference of best.differences) note(name, difference);
    codes.push(...best.codes);
    if (definition.beyondDocument && !isPublished(name)) note(other.field.Name, "not published");
    for (const { name: again, field } of placed) {
      if (field.kind !== "alsoChoice" || field.of !== name) continue;
      // The database has no abbreviations of languages.
      if (again !== "languageCode") codes.push(...codeDifferences(field.choices, other.field.LookupEnumeration));
    }
  }
  for (const { name, field, ...at } of list) {
    if (field.kind === "skip" || !isPublished(name) || bitsOf(field) === 0) continue;
    if (!theirs(pgn).some((other) => sameAt(at, other))) note(name, "not in the database");
  }
  return { fields: found, codes };
}

const withPublicLayout = [
  ...[...definitions, ...reportOnly].filter(
    ({ origin, fields }) => origin === "nmea2000" && Object.keys(fields).length > 0,
  ),
  ...assumed.flatMap(({ public: other }) => (other === undefined ? [] : [other.definition])),
];

/** The variants in the database that belong to this definition, where a field chooses among variants. */
function variantsOf(definition: Definition): readonly CanboatPgn[] {
  const all = canboatPgns(definition.pgn);
  return definition.pgn === 126208 ? all.slice(0, 1) : all;
}

test("the database is the one the layouts were taken from", () => {
  expect(canboat.Version).toBe("6.2.0");
});

test("public layouts are those of the database, but for the differences listed here", () => {
  const [fields, codes] = [new Set<string>(), new Set<string>()];
  for (const definition of withPublicLayout) {
    const variants = variantsOf(definition);
    expect(variants.length, `${definition.pgn} is in the database`).toBeGreaterThan(0);
    for (const variant of variants) {
      const found = compare(definition, variant);
      for (const difference of found.fields) fields.add(difference);
      for (const difference of found.codes) codes.add(difference);
    }
  }
  expect([...fields].sort()).toEqual(Object.keys(reasons).sort());
  expect([...codes].sort()).toEqual(Object.keys(reasonsOfCodes).sort());
});

/** Titles and names that clients of `--all-pgns` had for a PGN before it was defined here, and its definition lacks. */
function lostBy({ pgn, title, fields }: Definition, table: PublicPgns): readonly string[] {
  const had = table.variants(pgn)[0]!.definition;
  const names = publishedFields({ fields }).map(({ name }) => name);
  return [
    ...(title === had.title ? [] : [had.title]),
    ...publishedFields(had).flatMap(({ name }) => (names.includes(name) ? [] : [name])),
  ].map((each) => `${pgn} ${each}`);
}

test("a public PGN that the document lacks has the title and the names of the table of public PGNs", async () => {
  const table = sharedPgns(await publicPgnTable(new Set()));
  const added = definitions.filter(
    ({ origin, beyondDocument }) => origin === "nmea2000" && beyondDocument === "message",
  );
  expect(added.flatMap((definition) => lostBy(definition, table))).toEqual([]);
  expect(lostBy(pgn(130315, "Pressure", { instance: integer(u8) }), table)).toEqual([
    "130315 Set Pressure",
    ...["sequenceId", "source", "pressureKpa"].map((name) => `130315 ${name}`),
  ]);
});

test("transports and lengths are those of the database", () => {
  const transports = { Single: "single", Fast: "fast", ISO: "isoTp", Mixed: "mixed" };
  for (const definition of withPublicLayout) {
    const [variant] = variantsOf(definition);
    expect(definition.transport, String(definition.pgn)).toBe(transports[variant!.Type]);
  }
  for (const { definition, public: other } of assumed) {
    if (other === undefined) expect(canboatPgns(definition.pgn)).toEqual([]);
    else
      expect([other.definition.title, other.bytes]).toEqual(
        canboatPgns(definition.pgn).map(({ Description, Length }) => [Description, Length])[0],
      );
  }
});

test("the names that the build has written are those of the database", () => {
  expect(readFileSync("src/core/n2k/public-database.ts", "utf8")).toBe(publicNamesModule());
});

test("publicPgns has every public PGN once, with its transport, title and period", () => {
  const isProprietary = (pgn: number): boolean =>
    proprietaryRanges.some(({ first, last }) => pgn >= first && pgn <= last);
  // Gateways use numbers from 262144 on for themselves.
  const expected = canboat.PGNs.filter(({ PGN, Fallback }) => PGN < 262144 && !Fallback && !isProprietary(PGN));
  expect(publicPgns.map(({ pgn }) => pgn)).toEqual([...new Set(expected.map(({ PGN }) => PGN))].sort((a, b) => a - b));
  const rowOf = (number: number) => publicPgns.find(({ pgn }) => pgn === number);
  expect(rowOf(127250)).toEqual({ pgn: 127250, transport: "single", title: "Vessel Heading", periodMs: 100 });
  expect(rowOf(129029)).toEqual({ pgn: 129029, transport: "fast", title: "GNSS Position Data", periodMs: 1000 });
  expect(rowOf(65240)).toEqual({ pgn: 65240, transport: "isoTp", title: "ISO Commanded Address" });
  // Variants of one PGN have a title in common.
  expect(rowOf(126208)?.title).toBe("NMEA - Group Function");
});

test("names of manufacturers, industry groups and functions are those of the database", () => {
  expect(new Map(manufacturers)).toEqual(canboatEnumeration("MANUFACTURER_CODE"));
  expect(new Map(industryGroups)).toEqual(canboatEnumeration("INDUSTRY_CODE"));
  const functions = canboat.LookupIndirectEnumerations.find(({ Name }) => Name === "DEVICE_FUNCTION")!.EnumValues;
  expect(deviceFunctions).toEqual(functions.map(({ Name, Value1, Value2 }) => [Value1, Value2, Name]));
  expect(deviceFunctions).toContainEqual([60, 145, "Ownship Position (GNSS)"]);
  expect(manufacturers).toContainEqual([1857, "Simrad"]);
});

test("abbreviations of languages are those of Unicode for the names in the database", () => {
  const names = new Intl.DisplayNames("en", { type: "language" });
  const nameOf = (code: string): string => names.of(code.replace(/-.*/, ""))!;
  expect(LanguageCode.map(nameOf)).toEqual(Language.map((name) => name.replace(/ .*/, "")));
  expect(LanguageCode.slice(0, 2)).toEqual(["en-US", "en-GB"]);
});
