/**
 * Recordings through reassembly and decoding, with canboatjs as the second opinion on every payload: the simulated
 * voyage, and real ones where they are. Nothing here knows what is in a recording.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FromPgn } from "@canboat/canboatjs";
import Ajv2020 from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { RecordingFile } from "../../../src/adapters/node/recording/recording-file.ts";
import { fromCanId } from "../../../src/core/can/can-id.ts";
import { createCatalogue } from "../../../src/core/n2k/catalogue.ts";
import { decoderOf } from "../../../src/core/n2k/decode.ts";
import type { Definition } from "../../../src/core/n2k/definition.ts";
import { fastPacketTable } from "../../../src/core/n2k/fast-packets.ts";
import { assumed } from "../../../src/core/n2k/pgns/assumed.ts";
import { reportOnly } from "../../../src/core/n2k/pgns/index.ts";
import { dataSchema } from "../../../src/core/n2k/schema.ts";
import { textOf } from "../../../src/core/text/ascii-buffer.ts";
import { memoize } from "../../../src/core/util/memoize.ts";
import type { RecordingBatch } from "../../../src/formats/recording/record-writer.ts";
import { recordsOf } from "../../formats/recording/reading.ts";
import { candumpLog, variants } from "../../formats/recording/writing.ts";
import { packetsOf } from "../../support/packets.ts";
import { present, realRecording, realRecordings, voyage, writeRecording } from "../../support/recordings.ts";
import { type Comparison, canboatParser, canboatReading, compare, knownDefects } from "./canboat-reading.ts";

const silent = { error() {}, warn() {}, info() {}, debug() {} };
const clock = { wall: () => 0, monotonic: () => 0, after: () => () => {}, every: () => () => {} };

/** Numbers of messages by source and PGN, `3 127250`. */
type Counts = Map<string, number>;

const count = (counts: Counts, source: number, pgn: number): void => {
  const key = `${source} ${pgn}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

/** Frames through the reassembly of canboatjs: messages it completes, of PGNs that are `published`. */
function countByCanboat(
  parser: FromPgn,
  published: (pgn: number) => boolean,
  counts: Counts,
  frames: RecordingBatch["frames"],
): void {
  if (frames === undefined) return;
  for (const record of recordsOf({ frames })) {
    if (!("identifier" in record)) continue;
    const { pgn, source, destination, priority } = fromCanId(record.identifier & 0x1fffffff);
    const data = Buffer.from(record.data, "hex");
    const header = { pgn, src: source, dst: destination, prio: priority, timestamp: "2026-11-21T08:14:26.123Z" };
    if (!published(pgn)) continue;
    if (parser.parse({ pgn: header, length: data.length, data }) !== undefined) count(counts, source, pgn);
  }
}

const reportReaders = new Map(
  reportOnly.map((definition) => [definition.pgn, { definition, read: decoderOf(definition) }]),
);

const publicOf = new Map(assumed.map((each) => [each.definition.pgn, each.public?.definition]));

const ajv = new Ajv2020.default();
const validatorOf = memoize((definition: Definition) =>
  ajv.compile({ ...dataSchema(definition, publicOf.get(definition.pgn)), additionalProperties: false }),
);

async function read(path: string) {
  const { ReassembledSource } = await import("../../../src/adapters/node/can/reassembled-source.ts");
  const catalogue = createCatalogue();
  const file = new RecordingFile(path, { clock, log: silent, speed: 0 });
  const theirCounts: Counts = new Map();
  const counts: Counts = new Map();
  const isPublished = (pgn: number): boolean => catalogue.reader(pgn) !== undefined;
  const parser = canboatParser();
  async function* batches(): AsyncGenerator<RecordingBatch> {
    for await (const batch of file.batches()) {
      countByCanboat(parser, isPublished, theirCounts, batch.frames);
      yield batch;
    }
  }
  const source = new ReassembledSource({ name: "replay", batches: batches(), close: () => file.close() });
  const comparison: Comparison = { compared: 0, differences: [] };
  const invalid: string[] = [];
  /** Names that came with PGNs of assumed layout. */
  const assumedMembers = new Map<number, ReadonlySet<string>>();
  let messages = 0;
  for await (const batch of source.packets(fastPacketTable(catalogue.fastPackets()))) {
    for (const { pgn, source: address, bytes, at, end, arrived } of packetsOf(batch)) {
      const forReports = reportReaders.get(pgn);
      if (forReports !== undefined) {
        const reading = canboatReading(pgn, address, bytes.slice(at, end));
        const message = forReports.read(bytes, at, end, address);
        if (reading !== undefined) compare(forReports.definition, message, reading, end - at, comparison);
        continue;
      }
      const reader = catalogue.reader(pgn);
      if (reader === undefined) continue;
      messages++;
      count(counts, address, pgn);
      const message = reader.message({ bytes, at, end, source: address, arrived });
      const text = textOf(reader.write)({ bytes, at, end, source: address, arrived });
      const expected = JSON.stringify(message);
      if (text !== expected) invalid.push(`${text} is not ${expected}`);
      const validate = validatorOf(reader.definition);
      if (!validate(message)) invalid.push(`${text}: ${ajv.errorsText(validate.errors)}`);
      const isAssumed = reader.definition.origin === "assumed";
      if (isAssumed) assumedMembers.set(pgn, new Set([...(assumedMembers.get(pgn) ?? []), ...Object.keys(message)]));
      const definition: Definition | undefined = isAssumed ? publicOf.get(pgn) : reader.definition;
      if (definition === undefined || definition.origin === "j1939") continue;
      const reading = canboatReading(pgn, address, bytes.slice(at, end));
      if (reading !== undefined) compare(definition, message, reading, end - at, comparison);
    }
  }
  return { messages, comparison, invalid, assumedMembers, counts, theirCounts };
}

/** Messages of a source and a PGN counted by one side and not by the other. */
const uncounted = (ours: Counts, others: Counts): number =>
  [...new Set([...ours.keys(), ...others.keys()])].reduce(
    (sum, key) => sum + Math.abs((ours.get(key) ?? 0) - (others.get(key) ?? 0)),
    0,
  );

async function expectToBeRead(path: string): Promise<void> {
  const { comparison, invalid, messages, counts, theirCounts } = await read(path);
  expect(invalid.slice(0, 5)).toEqual([]);
  const { compared, differences } = comparison;
  const report = [...new Map(differences.map((each) => [each.field, each])).values()];
  expect(
    differences.length,
    `${JSON.stringify(report)} beside what is known: ${knownDefects.join("; ")}`,
  ).toBeLessThanOrEqual(compared / 1000);
  // Whole messages are no frames that it could count.
  if (theirCounts.size > 0) expect(uncounted(counts, theirCounts)).toBeLessThanOrEqual(Math.max(1, messages / 1000));
}

describe("every message is valid, and is what canboatjs counts and reads", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "hub-voyage-"));
  });

  const whole = variants.find(({ isWhole }) => isWhole)!;
  test.each([candumpLog, whole])("the voyage, $format", async (variant) => {
    await expectToBeRead(writeRecording(await voyage(60_000), variant, folder));
  });

  test.each(realRecordings)("%s", (name) => expectToBeRead(realRecording(name)));
});

test.each(present(["can0-3.pcap.gz"]))("%s: AC messages are read as the public ones they are", async (name) => {
  const { assumedMembers } = await read(realRecording(name));
  expect(Object.fromEntries([...assumedMembers].sort())).toEqual({
    127744: new Set(["pgn", "acInstance", "realPowerW"]),
    127745: new Set(["pgn", "acInstance", "realPowerW"]),
    127746: new Set(["pgn", "acInstance", "realPowerW"]),
    127747: new Set(["pgn", "acInstance", "voltageV", "frequencyHz"]),
    127748: new Set(["pgn"]),
    127749: new Set(["pgn"]),
  });
});
