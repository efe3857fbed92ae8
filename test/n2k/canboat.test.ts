/**
 * Public layouts against the public database: place, width, sign, resolution, offset, enumeration and transport of every
 * field that both have. Each difference is deliberate, listed with its reason, and must still be there.
 */
import { expect, test } from "vitest";
import { deviceFunction, industryGroups, manufacturers } from "../../src/n2k/device-tables.ts";
import { bitsOf, type Definition, isPublished } from "../../src/n2k/field.ts";
import { placedFields } from "../../src/n2k/layout.ts";
import { assumed } from "../../src/n2k/pgns/assumed.ts";
import { definitions, reportOnly } from "../../src/n2k/pgns/index.ts";
import { proprietaryRanges, publicPgns } from "../../src/n2k/public-names.ts";
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
const twoBitError = "the code for an error; an error is absent";

/** Deliberate differences by PGN and field. */
const reasons: Readonly<Record<string, string>> = {
  "126208 parameters: width": "laid out as the function demands; taken as one piece",
  "126996 nmeaVersion: resolution": "an integer in the document",
  "126993 intervalS: resolution": "canboat 8.0.0-beta3 corrects it to 0.001 s, which fits the usual interval of 60 s",
  "127237 headingReference: codes": twoBitError,
  "127250 reference: codes": `${twoBitError}; ${fixedByDocument}`,
  "127258 source: codes": fixedByDocument,
  "127501 status: codes": "code 2 is an error of the switch, which is worth telling",
  "127513 nominalVoltageV: codes": "a number of volts in the document",
  "129026 cogReference: codes": `${twoBitError}; ${fixedByDocument}`,
  "129284 bearingReference: codes": twoBitError,
  "129284 arrivalStatus: width": "two flags of two bits each, read as one",
  "129291 setReference: codes": twoBitError,
  "129038 specialManeuver: codes": notAValue,
  "129038 timeStampStatus: codes": notAValue,
  "129038 transceiver: codes": notAValue,
  "129039 timeStampStatus: codes": notAValue,
  "129039 transceiver: codes": notAValue,
  "129040 shipTypeName: codes": notAValue,
  "129040 timeStampStatus: codes": notAValue,
  "129040 transceiver: codes": notAValue,
  "129040 positionFixingDevice: codes": notAValue,
  "129041 atonType: codes": notAValue,
  "129041 timeStampStatus: codes": notAValue,
  "129041 transceiver: codes": notAValue,
  "129041 positionFixingDevice: codes": notAValue,
  "129793 transceiver: codes": notAValue,
  "129793 positionFixingDevice: codes": notAValue,
  "129794 shipTypeName: codes": notAValue,
  "129794 transceiver: codes": notAValue,
  "129794 positionFixingDevice: codes": notAValue,
  "129795 transceiver: codes": notAValue,
  "129796 transceiver: codes": notAValue,
  "129797 transceiver: codes": notAValue,
  "129798 timeStampStatus: codes": notAValue,
  "129798 transceiver: codes": notAValue,
  "129798 Reserved for Regional Applications: not published": "reserved",
  "129801 transceiver: codes": notAValue,
  "129802 transceiver: codes": notAValue,
  "129809 transceiver: codes": notAValue,
  "129810 shipTypeName: codes": notAValue,
  "129810 transceiver: codes": notAValue,
  "129810 positionFixingDevice: codes": notAValue,
};

const filling = new Set(["RESERVED", "SPARE"]);

/** Texts by code, as far as the code fits into the field. */
const codesOf = (choices: Readonly<Record<number, unknown>>): string =>
  JSON.stringify(Object.entries(choices).map(([code, text]) => [Number(code), text]));

/** What is different about a field that both have. */
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
  if (field.kind === "choice" && bits === other.BitLength) {
    const known = canboatEnumeration(other.LookupEnumeration ?? "");
    if (codesOf(field.choices) !== codesOf(Object.fromEntries(known))) yield "codes";
  }
}

function compare(definition: Definition, pgn: CanboatPgn): string[] {
  const placed = placedFields(definition.fields);
  const list = ours(placed);
  const found: string[] = [];
  const note = (name: string, what: string): number => found.push(`${definition.pgn} ${name}: ${what}`);
  for (const other of theirs(pgn)) {
    if (filling.has(other.field.FieldType)) continue;
    const here = list.filter((each) => sameAt(each, other) && each.bits !== 0 && each.field.kind !== "skip");
    if (here.length === 0) {
      if (definition.beyondDocument) note(other.field.Name, "not published");
      continue;
    }
    // The two readings of an `either`: one of them must be like it.
    const each = here.map((one) => [...differencesOf(one, other.field)]);
    const best = each.findIndex((differences) => differences.length === 0);
    const { name } = here[Math.max(best, 0)]!;
    for (const difference of best === -1 ? each[0]! : []) note(name, difference);
    if (definition.beyondDocument && !isPublished(name)) note(other.field.Name, "not published");
    for (const { name: again, field } of placed) {
      if (field.kind !== "alsoChoice" || field.of !== name) continue;
      const known = canboatEnumeration(other.field.LookupEnumeration ?? "");
      const isLanguageCode = again === "languageCode";
      if (!isLanguageCode && codesOf(field.choices) !== codesOf(Object.fromEntries(known))) note(again, "codes");
    }
  }
  for (const { name, field, ...at } of list) {
    if (field.kind === "skip" || !isPublished(name) || bitsOf(field) === 0) continue;
    if (!theirs(pgn).some((other) => sameAt(at, other))) note(name, "not in the database");
  }
  return found;
}

const withPublicLayout = [
  ...[...definitions, ...reportOnly].filter(
    ({ origin, fields }) => origin === "nmea2000" && Object.keys(fields).length > 0,
  ),
  ...assumed.flatMap(({ public: other }) => (other === undefined ? [] : [other.definition])),
];

/** Of variants chosen by a field: that of which this definition is, or one of them. */
function variantsOf(definition: Definition): readonly CanboatPgn[] {
  const all = canboatPgns(definition.pgn);
  return definition.pgn === 126208 ? all.slice(0, 1) : all;
}

test("the database is the one the layouts were taken from", () => {
  expect(canboat.Version).toBe("6.2.0");
});

test("public layouts are those of the database, but for the differences listed here", () => {
  const found = new Set<string>();
  for (const definition of withPublicLayout) {
    const variants = variantsOf(definition);
    expect(variants.length, `${definition.pgn} is in the database`).toBeGreaterThan(0);
    for (const variant of variants) for (const difference of compare(definition, variant)) found.add(difference);
  }
  expect([...found].sort()).toEqual(Object.keys(reasons).sort());
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

test("publicPgns has every public PGN with its transport and title", () => {
  const isProprietary = (pgn: number): boolean =>
    proprietaryRanges.some(({ first, last }) => pgn >= first && pgn <= last);
  const transports = { Single: "single", Fast: "fast", ISO: "isoTp", Mixed: "mixed" };
  const expected = new Map<number, readonly [string, string]>();
  // Gateways use numbers from 262144 on for themselves.
  for (const { PGN, Type, Description, Fallback } of canboat.PGNs) {
    if (PGN >= 262144 || Fallback || isProprietary(PGN) || expected.has(PGN)) continue;
    expected.set(PGN, [transports[Type], Description]);
  }
  // Variants of one PGN have a title in common.
  expected.set(60416, ["single", "ISO Transport Protocol, Connection Management"]);
  expected.set(126208, ["fast", "NMEA - Group Function"]);
  expected.set(129808, ["fast", "DSC Call Information"]);
  expect(new Map(publicPgns.map(({ pgn, transport, title }) => [pgn, [transport, title]]))).toEqual(expected);
});

test("device tables are those of the database", () => {
  expect(manufacturers).toEqual(canboatEnumeration("MANUFACTURER_CODE"));
  expect(industryGroups).toEqual(canboatEnumeration("INDUSTRY_CODE"));
  const functions = canboat.LookupIndirectEnumerations.find(({ Name }) => Name === "DEVICE_FUNCTION")!.EnumValues;
  expect(functions).toHaveLength(106);
  for (const { Name, Value1, Value2 } of functions) expect(deviceFunction(Value1, Value2)).toBe(Name);
});
