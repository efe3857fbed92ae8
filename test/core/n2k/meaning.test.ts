/** The meaning of definitions: keys, events, subjects; those of each PGN are in the reference, a snapshot. */
import { describe, expect, test } from "vitest";
import { createCatalogue } from "../../../src/core/n2k/catalogue.ts";
import { type Definition, pgn } from "../../../src/core/n2k/definition.ts";
import { bitsWhere, keyNames, placedFields, publishedFields } from "../../../src/core/n2k/layout.ts";
import { payloadOf } from "../../../src/core/n2k/payload.ts";
import { assumed } from "../../../src/core/n2k/pgns/assumed.ts";
import { fluidLevel } from "../../../src/core/n2k/pgns/electrical.ts";
import { definitions, reportOnly } from "../../../src/core/n2k/pgns/index.ts";
import { streamKeyOf } from "../../../src/core/n2k/stream-key.ts";
import { integer, key, lauText, text } from "../../../src/core/n2k/verbs.ts";
import { u8 } from "../../../src/core/n2k/wire.ts";
import { canboatPgns, ours, sameAt, theirs } from "./canboat.ts";

const documented = definitions.filter(({ beyondDocument }) => beyondDocument !== "message");

const where = (matches: (definition: Definition) => boolean): number[] =>
  documented.filter(matches).map((definition) => definition.pgn);

test("the public messages of PGNs of assumed layout have keys of their own", () => {
  const found = assumed.flatMap(({ public: other }) =>
    other === undefined || keyNames(other.definition).length === 0
      ? []
      : [[other.definition.pgn, ...keyNames(other.definition)].join(" ")],
  );
  expect(found).toEqual([
    "127744 acInstance",
    "127745 acInstance",
    "127746 acInstance",
    "127747 acInstance",
    "127751 dcInstance",
  ]);
});

test("a field that the public database has in a primary key is a key field", () => {
  const missing: string[] = [];
  for (const definition of definitions) {
    if (definition.origin !== "nmea2000") continue;
    const list = ours(placedFields(definition.fields));
    for (const variant of canboatPgns(definition.pgn).slice(0, 1))
      for (const other of theirs(variant)) {
        if (!other.field.PartOfPrimaryKey) continue;
        const here = list.find((each) => sameAt(each, other) && each.bits !== 0);
        if (here === undefined || !here.field.key) missing.push(`${definition.pgn} ${other.field.Name}`);
      }
  }
  // The mothership of an auxiliary craft is a property of it; addressees of acknowledgements are a list here.
  expect(missing, "mark the field with key(…), or name it here with the reason").toEqual([
    "129796 Destination ID",
    "129810 Mothership User ID",
  ]);
});

test("values of everyday use, whose entities Home Assistant has enabled", () => {
  const marked = [...definitions, ...reportOnly].flatMap((definition) => {
    const names = publishedFields(definition).filter(({ field }) => field.everyday);
    return names.length === 0 ? [] : [`${definition.pgn} ${names.map(({ name }) => name).join(" ")}`];
  });
  expect(marked.sort()).toEqual([
    "127488 engineSpeedRpm",
    "127489 oilPressureKpa coolantTempC alternatorVoltage fuelRateLh engineHours",
    "127493 gear",
    "127501 switches",
    "127503 line1VoltageV line1CurrentA",
    "127504 line1VoltageV line1CurrentA",
    "127505 levelPercent",
    "127506 stateOfChargePercent timeRemainingMin",
    "127507 operatingState",
    "127508 voltageV currentA temperatureC",
    "127509 operatingState",
    "127514 switches",
    "127744 breakerState",
    "127747 breakerState",
    "127748 breakerState",
    "127751 breakerState",
    "128275 tripLogM totalLogM",
    "130312 actualTempC",
    "130313 actualHumidityPercent",
    "130316 actualTempC",
    "130567 operatingState runTimeHours",
  ]);
});

test("messages that do not state how the sender or the boat is", () => {
  expect(where(({ about }) => about === "alert")).toEqual([126983, 126984, 126985]);
  expect(where(({ about }) => about === "command")).toEqual([127512, 127745, 127749]);

  expect(reportOnly.filter(({ about }) => about === "protocol").map(({ pgn }) => pgn)).toEqual([
    59392, 59904, 60928, 65240, 126208, 126464, 126993, 126996, 126998,
  ]);
  expect(where(({ about }) => about === "radarZone")).toEqual([128522]);
  expect(where(({ about }) => about === "call")).toEqual([129808]);
  expect(where(({ about }) => about === "route")).toEqual([
    129285, 130064, 130065, 130066, 130067, 130068, 130069, 130074,
  ]);
  expect(where(({ about }) => about === "target")).toEqual([
    128520, 128521, 129038, 129039, 129040, 129041, 129793, 129794, 129795, 129796, 129797, 129798, 129801, 129802,
    129809, 129810, 129812,
  ]);
});

describe("streamKeyOf", () => {
  const keyOf = streamKeyOf(fluidLevel);
  const read = (...bytes: number[]): string | undefined => keyOf(payloadOf(Uint8Array.from(bytes), 3));

  test("differs with each key field and with nothing else", () => {
    expect(read(0x00, 1, 2, 3, 4, 5, 6, 0xff)).toBe(read(0x00, 9, 9, 9, 9, 9, 9, 9));
    const all = [0x00, 0x01, 0x10, 0x11].map((first) => read(first, 1, 2, 3, 4, 5, 6, 0xff));
    expect(new Set(all).size).toBe(4);
  });

  test("tells codes apart that have no text", () => {
    expect(read(0x60, 1, 2, 3, 4, 5, 6, 0xff)).not.toBe(read(0x70, 1, 2, 3, 4, 5, 6, 0xff));
  });

  test("reads the payload where it lies", () => {
    expect(keyOf({ ...payloadOf(Uint8Array.of(9, 9, 0x12, 9, 9), 3), at: 2, end: 4 })).toBe(read(0x12, 7));
  });

  test("takes a field beyond the payload for one that is not available", () => {
    expect(read()).toBe(read(0xff, 1, 2));
  });

  test("is the same for all messages of a definition without keys", () => {
    const plain = streamKeyOf(pgn(1, "plain", { value: integer(u8) }));
    expect(plain(payloadOf(Uint8Array.of(1), 3))).toBe(plain(payloadOf(Uint8Array.of(2), 3)));
  });

  test("is undefined for an event", () => {
    const event = streamKeyOf(pgn(1, "event", { instance: key(integer(u8)) }, { event: true }));
    expect(event(payloadOf(Uint8Array.of(1), 3))).toBeUndefined();
  });

  test("finds a key behind a text of any length", () => {
    const keyBehind = streamKeyOf(pgn(1, "text first", { name: lauText(), instance: key(integer(u8)) }));
    const keyIn = (...bytes: number[]): string | undefined => keyBehind(payloadOf(Uint8Array.from(bytes), 3));
    const short = keyIn(3, 1, 0x41, 7);
    expect(keyIn(4, 1, 0x41, 0x42, 7)).toBe(short);
    expect(keyIn(3, 1, 0x41, 8)).not.toBe(short);
  });
});

test("bitsWhere gives the bits of the matching fields, byte by byte", () => {
  const { fields } = pgn(1, "bits", { a: integer(u8), b: key(text(2)), c: integer(u8) });
  expect(bitsWhere(fields, (field) => field.key === true)).toEqual([
    [1, 0xff],
    [2, 0xff],
  ]);
  expect(bitsWhere(fluidLevel.fields, ({ kind }) => kind === "choice")).toEqual([[0, 0xf0]]);
});

test("a message of assumed layout has the key of the layout that it is detected to have", () => {
  const reader = createCatalogue().reader(127744)!;
  const read = (hex: string): string | undefined => {
    const bytes = Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
    return reader.streamKey(payloadOf(bytes, 3));
  };
  // The assumed layout begins with AC and breaker instance, the public one with a sequence number and the connection.
  expect(read("01 02 f9 c4090000 ff")).not.toBe(read("01 03 f9 c4090000 ff"));
  expect(read("05 01 7b00 c4090000")).toBe(read("06 01 7c00 c5090000"));
  expect(read("05 01 7b00 c4090000")).not.toBe(read("05 02 7b00 c4090000"));
  // Asking for the key counts nothing.
  expect(reader.unmatched()).toBe(0);
});
