/** The public PGNs: against canboatjs, field by field, and what holds for every definition. */

import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { publicPgnTable } from "../../../scripts/public-pgns.mjs";
import { ReassembledSource } from "../../../src/adapters/node/can/reassembled-source.ts";
import { RecordingFile } from "../../../src/adapters/node/recording/recording-file.ts";
import { systemClock } from "../../../src/adapters/node/system-clock.ts";
import { createCatalogue } from "../../../src/core/n2k/catalogue.ts";
import { decoderOf } from "../../../src/core/n2k/decode.ts";
import type { Definition } from "../../../src/core/n2k/definition.ts";
import { describePgn } from "../../../src/core/n2k/describe.ts";
import { encoderOf } from "../../../src/core/n2k/encode.ts";
import { fastPacketTable } from "../../../src/core/n2k/fast-packets.ts";
import { isPublished } from "../../../src/core/n2k/field.ts";
import { jsonWriterOf } from "../../../src/core/n2k/json.ts";
import { placedFields, publishedFields } from "../../../src/core/n2k/layout.ts";
import { payloadOf } from "../../../src/core/n2k/payload.ts";
import { definitions } from "../../../src/core/n2k/pgns/index.ts";
import { publicPgns } from "../../../src/core/n2k/public-pgns.ts";
import { messagesSchema } from "../../../src/core/n2k/schema.ts";
import { textOf } from "../../../src/core/text/ascii-buffer.ts";
import { memoize } from "../../../src/core/util/memoize.ts";
import { memoryLog } from "../../support/memory/log.ts";
import { packetsOf } from "../../support/packets.ts";
import { realRecording, realRecordings } from "../../support/recordings.ts";
import { canboat, canboatPgns } from "./canboat.ts";
import { canboatMessage } from "./canboatjs.ts";
import { payloadsOf } from "./public-payloads.ts";
import { compare, newTally } from "./public-reading.ts";
import { type Layout, layouts, shared, titleOf } from "./public-table.ts";

const SOURCE = 3;
const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "hex"));

/** Layouts that canboatjs does not give their own messages, and why. */
const othersThere: Readonly<Record<string, string>> = {
  "61184 seatalkWirelessKeypadControl": "a layout before it takes messages with 1 in the next field",
  "126720 airmarSpeedFilterNone": "it fails on layouts of fewer fields",
  "126720 airmarSpeedFilterIir": "it fails on layouts of fewer fields",
  "126720 airmarTemperatureFilterNone": "it fails on layouts of fewer fields",
  "126720 airmarTemperatureFilterIir": "it fails on layouts of fewer fields",
  "126720 maretronProprietaryConfiguration": "a layout before it has the same matching fields",
  "126720 garminDayMode": "it fails on layouts of fewer fields",
  "126720 garminNightMode": "it fails on layouts of fewer fields",
  "126720 garminColorMode": "it fails on layouts of fewer fields",
  "130573 supportedSourceData": "it fails where a bit field is cut off",
  "130820 bepMarineProprietaryPgn130820": "a layout before it has the same matching fields",
  "130850 simnetAlarm": "it counts fields where the layouts differ",
  "130850 simnetEvent": "it counts fields where the layouts differ",
};

const pgns: readonly (readonly [number, readonly Layout[]])[] = shared.pgns.map((pgn) => [
  pgn,
  layouts.filter((layout) => layout.pgn === pgn),
]);

test("every PGN of the database is in the document, in the reports or in the table", () => {
  const { publicReader, setPublic, reader } = createCatalogue();
  setPublic({ pgns: shared, isWanted: () => true });
  const numbers = canboat.PGNs.filter(({ PGN, Fallback }) => PGN <= 0x1ffff && !Fallback).map(({ PGN }) => PGN);
  const missing = numbers.filter((pgn) => (reader(pgn) ?? publicReader(pgn)) === undefined);
  // Parts of the ISO transport, of which reassembly makes messages.
  expect([...new Set(missing)]).toEqual([60160, 60416]);
  expect(shared.pgns.filter((pgn) => definitions.some((each) => each.pgn === pgn))).toEqual([]);
});

test.each([
  ["a public message without readable fields", 130845, "3f9f0102030405060708", "0102030405060708"],
  ["one whose fields are all reserved", 65317, "1399a1a2a3a4a5a6", "a1a2a3a4a5a6"],
])("%s has its bytes as data", (_, number, payload, data) => {
  const bytes = hex(payload);
  const found = shared.variants(number).find((each) => each.matches(bytes, 0, bytes.length))!.definition;
  const message = decoderOf(found)(bytes, 0, bytes.length, SOURCE) as { readonly data?: string };
  expect(message.data).toBe(data);
});

test.each([
  ["heading offset", "0000", "a3fe", { valueDeg: expect.closeTo(-2, 1) }],
  ["time zone offset", "2900", "f1ff", { valueMin: -15 }],
])("a negative %s of 130845 is negative", (_, key, value, said) => {
  const bytes = hex(`419f050001ff${key}ff02${value}`);
  const found = shared.variants(130845).find((each) => each.matches(bytes, 0, bytes.length))!.definition;
  expect(decoderOf(found)(bytes, 0, bytes.length, SOURCE)).toMatchObject(said);
});

test("a PGN that moves from the table to a definition keeps its title and names, which clients have", async () => {
  const moved = definitions.filter(
    ({ beyondDocument, origin }) => beyondDocument === "message" && origin === "nmea2000",
  );
  const kept = definitions.filter((each) => !moved.includes(each)).map(({ pgn }) => pgn);
  const whole = publicPgns(await publicPgnTable(new Set(kept)));
  const shapeOf = (definition: Definition) => [
    definition.pgn,
    definition.title,
    publishedFields(definition).map(({ name }) => name),
  ];
  expect(moved.map(shapeOf)).toEqual(moved.map(({ pgn }) => shapeOf(whole.variants(pgn)[0]!.definition)));
});

test("each layout is read as canboatjs reads it, but for reasons that are named", () => {
  const tally = newTally();
  const others = new Set<string>();
  for (const layout of layouts) {
    const { pgn, variant, other } = layout;
    if (other === undefined) continue;
    const read = decoderOf(variant.definition);
    for (const payload of fc.sample(payloadsOf(layout), { seed: pgn, numRuns: 40 })) {
      const found = canboatMessage(pgn, SOURCE, payload);
      if (found?.id !== other.Id) others.add(titleOf(layout));
      else
        compare(
          variant.definition,
          other,
          read(payload, 0, payload.length, SOURCE),
          found.fields,
          payload.length,
          tally,
        );
    }
  }
  expect([...others]).toEqual(Object.keys(othersThere));
  expect(tally.differences).toEqual([]);
  expect(tally.agreed).toBeGreaterThan(60_000);
  // Any bytes are reserved codes, broken texts and cut off far more often than what devices send.
  const explained = [...tally.explained.values()].reduce((sum, count) => sum + count, 0);
  expect(explained).toBeLessThan(tally.agreed / 8);
});

test("a message is given to the layout that canboatjs gives it to", () => {
  for (const [pgn, list] of pgns) {
    for (const layout of list) {
      if (layout.other === undefined || titleOf(layout) in othersThere) continue;
      for (const payload of fc.sample(payloadsOf(layout), { seed: pgn, numRuns: 5 })) {
        const chosen = shared.variants(pgn).findIndex((each) => each.matches(payload, 0, payload.length));
        expect(list[chosen]!.other?.Id, titleOf(layout)).toBe(canboatMessage(pgn, SOURCE, payload)?.id);
      }
    }
  }
});

const ajv = new Ajv2020();

/** Validates messages of a PGN by the schema of its layouts; to compile it takes longer than all messages. */
const validatorOf = memoize((list: readonly Layout[]) => {
  const definitions = list.map(({ variant }) => variant.definition) as [Layout["variant"]["definition"]];
  return ajv.compile(messagesSchema(definitions, definitions[0].title));
});

/** Texts of other characters need not fit into the bytes that they were read from; bytes that were cut off are ones. */
const inAscii = (message: unknown): unknown =>
  JSON.parse(JSON.stringify(message), (_, value) => {
    if (typeof value !== "string") return value;
    if (/^([0-9a-f]{2})+$/.test(value)) return value.replace(/(ff)+$/, "");
    return /^[ -~]*$/.test(value) ? value : undefined;
  });

describe.each(pgns.map(([pgn, list]) => ({ pgn, list })))("$pgn", ({ pgn, list }) => {
  test("is an object and the same as text, of its schema; read again after it was written", () => {
    const metadata = { rxDate: "2026-11-21T08:14:26.123Z", rxTimestamp: 1795248866, expireAfterSec: 60 };
    const validate = validatorOf(list);
    for (const layout of list) {
      const { definition } = layout.variant;
      const read = decoderOf(definition);
      const json = textOf(jsonWriterOf(definition));
      const write = encoderOf(definition);
      const isVariable = placedFields(definition.fields).some(({ field }) =>
        ["lauText", "lzText", "repeat", "keyed"].includes(field.kind),
      );
      for (const payload of fc.sample(payloadsOf(layout), { seed: pgn, numRuns: 12 })) {
        // `expect` takes longer than what it compares, so that it is called for faults alone.
        const message = read(payload, 0, payload.length, SOURCE);
        const text = json(payload, 0, payload.length, SOURCE);
        const same = JSON.stringify(JSON.parse(text));
        if (JSON.stringify(message) !== same) expect(JSON.stringify(message)).toBe(same);
        if (!/^[ -~]*$/.test(text)) expect.fail(`not ASCII: ${text}`);
        if (!validate({ data: message, metadata })) expect.fail(`${text} ${ajv.errorsText(validate.errors)}`);
        const around = Uint8Array.from([1, 2, 3, ...payload, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
        const within = json(around, 3, 3 + payload.length, SOURCE);
        if (within !== text) expect(within).toBe(text);
        const again = write(message);
        const read2 = inAscii(read(again, 0, again.length, SOURCE));
        if (isVariable) expect(read2).toMatchObject(inAscii(message) as object);
        else expect(read2).toEqual(inAscii(message));
      }
      expect(describePgn(definition)).toMatch(
        definition.origin === "database" ? /^### \d+ .+\n\n.*public database/ : /^### \d+ /,
      );
    }
  });
});

/** Each length that matters: all that are short, and those around the ends of frames and packets. */
const lengthsOf = (most: number): readonly number[] =>
  Array.from({ length: most + 1 }, (_, length) => length).filter(
    (length) => length <= 34 || length > most - 3 || length % 31 === 0,
  );

test("bytes of any kind and length are JSON of their schema, and none behind the end is read", () => {
  const { publicReader, setPublic } = createCatalogue();
  setPublic({ pgns: shared, isWanted: () => true });
  const metadata = { rxDate: "2026-11-21T08:14:26.123Z", rxTimestamp: 1795248866, expireAfterSec: 60 };
  const out = textOf((buffer, pgn: number, bytes: Uint8Array, at: number, end: number) =>
    publicReader(pgn)!.write(buffer, { bytes, at, end, source: SOURCE, arrived: 0 }),
  );
  let count = 0;
  for (const [pgn, list] of pgns) {
    const validate = validatorOf(list);
    const most = list.some(({ variant }) => variant.definition.transport === "fast") ? 223 : 8;
    const [any] = fc.sample(fc.uint8Array({ minLength: most, maxLength: most }), { seed: pgn, numRuns: 1 });
    const wholes = [
      new Uint8Array(most),
      new Uint8Array(most).fill(0xff),
      any!,
      // Each layout's own bits, so that lengths and counts within it are hit; cut off below.
      ...list.flatMap((layout) => fc.sample(payloadsOf(layout), { seed: pgn + 1, numRuns: 1 })),
    ];
    for (const whole of wholes) {
      for (const length of lengthsOf(whole.length)) {
        const text = out(pgn, whole, 0, length);
        const message = JSON.parse(text) as object;
        if (!validate({ data: message, metadata })) expect.fail(`${text} ${JSON.stringify(validate.errors)}`);
        const payload = whole.subarray(0, length);
        const read = JSON.stringify(publicReader(pgn)!.message(payloadOf(payload, SOURCE)));
        if (read !== JSON.stringify(message)) expect(read).toBe(JSON.stringify(message));
        publicReader(pgn)!.streamKey(payloadOf(payload, SOURCE));
        // Behind the end lie the bytes of other packets.
        const around = new Uint8Array(length + 40).fill(0x5a);
        around.set(payload, 20);
        if (out(pgn, around, 20, 20 + length) !== text) expect.fail(`${pgn} ${Buffer.from(payload).toString("hex")}`);
        count += 1;
      }
    }
  }
  expect(count).toBeGreaterThan(20_000);
});

describe("an unknown message", () => {
  const { publicReader, setPublic } = createCatalogue();
  setPublic({ pgns: shared, isWanted: () => true });
  const read = (pgn: number, bytes: string): unknown => {
    const payload = hex(bytes);
    return publicReader(pgn)!.message(payloadOf(payload, SOURCE));
  };

  test.each([
    ["of a maker the table does not have", 65280, "639901020304ffff", { manufacturer: "Mastervolt" }],
    ["of a PGN the table does not have", 65300, "e79901020304ffff", {}],
    ["of a maker without a name", 130900, "ff1f0102", {}],
  ])("%s has its maker, and the rest as bytes", (_, pgn, bytes, expected) => {
    expect(read(pgn, bytes)).toMatchObject({ pgn, data: bytes.slice(4), ...expected });
  });

  test("is told as far as its maker is known", () => {
    // Fusion, of a number that the table does not have.
    expect(read(130820, "a399f17f0102")).toEqual({
      pgn: 130820,
      title: "Fusion: Unknown",
      manufacturer: "Fusion Electronics",
      industryGroup: "Marine Industry",
      messageId: "32753",
      data: "0102",
    });
  });

  test("too short for its maker is empty", () => {
    expect(read(65280, "a3")).toEqual({ pgn: 65280 });
  });
});

test("messages that share a PGN have keys of their own", () => {
  const { publicReader, setPublic } = createCatalogue();
  setPublic({ pgns: shared, isWanted: (pgn) => pgn === 65305 });
  const keyOf = (bytes: string): string | undefined => {
    const payload = hex(bytes);
    return publicReader(65305)!.streamKey(payloadOf(payload, SOURCE));
  };
  expect(keyOf("419f000202000000")).not.toBe(keyOf("419f000a02000000"));
  expect(keyOf("419f000202000000")).toBe(keyOf("419f000204000000"));
  expect(publicReader(65013)).toBeUndefined();
});

test("names have their units behind them, and are names of JavaScript", () => {
  const names = layouts.flatMap(({ variant }) => placedFields(variant.definition.fields)).map(({ name }) => name);
  for (const name of names.filter(isPublished)) expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/);
  const fields = new Map(shared.variants(127510).flatMap(({ definition }) => Object.entries(definition.fields)));
  expect([...fields.keys()].filter(isPublished)).toEqual([
    ...["instance", "batteryInstance", "chargerEnableDisable", "chargeCurrentLimitPercent", "chargingAlgorithm"],
    ...["chargerMode", "estimatedTemperature", "equalizeOneTimeEnableDisable", "overChargeEnableDisable"],
    ...["equalizeTimeMin", "data"],
  ]);
});

const table = fastPacketTable(createCatalogue().fastPackets());

interface Heard {
  readonly pgn: number;
  readonly payload: Uint8Array;
  count: number;
}

/** Payloads of public PGNs in a recording, each with the number of its messages. */
async function payloadsIn(path: string): Promise<readonly Heard[]> {
  const file = new RecordingFile(path, { clock: systemClock, log: memoryLog(), speed: 0 });
  const source = new ReassembledSource({ name: "replay", batches: file.batches() });
  const heard = new Map<string, Heard>();
  for await (const batch of source.packets(table)) {
    for (const { pgn, bytes, at, end } of packetsOf(batch)) {
      if (shared.variants(pgn).length === 0) continue;
      const payload = bytes.slice(at, end);
      const key = `${pgn} ${Buffer.from(payload).toString("base64")}`;
      const known = heard.get(key);
      if (known === undefined) heard.set(key, { pgn, payload, count: 1 });
      else known.count++;
    }
  }
  return [...heard.values()];
}

/** Recordings that also exist in another format are left out. */
const recordings = realRecordings.filter((name) => !/pcap|recombine/.test(name));

// On top of the payloads of any bytes, where there are recordings.
if (recordings.length > 0)
  test("of the fields in recordings 999 of 1000 agree, the others differ for reasons that are named", async () => {
    let agreed = 0;
    let explained = 0;
    for (const name of recordings) {
      for (const { pgn, payload, count } of await payloadsIn(realRecording(name))) {
        const index = shared.variants(pgn).findIndex((each) => each.matches(payload, 0, payload.length));
        const other = canboatPgns(pgn)[index];
        const found = canboatMessage(pgn, SOURCE, payload);
        if (other === undefined || `${pgn} ${other.Id}` in othersThere) continue;
        expect(found?.id, `${pgn} ${Buffer.from(payload).toString("hex")}`).toBe(other.Id);
        const tally = newTally();
        const { definition } = shared.variants(pgn)[index]!;
        const message = decoderOf(definition)(payload, 0, payload.length, SOURCE);
        compare(definition, other, message, found!.fields, payload.length, tally);
        expect(tally.differences).toEqual([]);
        agreed += count * tally.agreed;
        for (const reasons of tally.explained.values()) explained += count * reasons;
      }
    }
    expect(explained).toBeLessThan((agreed + explained) / 1000);
  });
