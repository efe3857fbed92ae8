/** The reader of the page Recordings gives the packets of hub-cand, wherever the file is cut, and what it inspects. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { ReassembledSource } from "../../src/adapters/node/can/reassembled-source.ts";
import { RecordingFile } from "../../src/adapters/node/recording/recording-file.ts";
import { systemClock } from "../../src/adapters/node/system-clock.ts";
import { RecordingReader, UnreadableRecording } from "../../src/adapters/wasm/recording-reader.ts";
import { createCatalogue } from "../../src/core/n2k/catalogue.ts";
import { fastPacketTable } from "../../src/core/n2k/fast-packets.ts";
import { forEachPacket, type Packet } from "../../src/core/ports/packet-batch.ts";
import { candumpText } from "../../src/formats/recording/formats/candump-writer.ts";
import { simulated } from "../../src/services/simulation/traffic.ts";
import { Inspection, SeriesReader } from "../../src/web/display/recordings/inspection.ts";
import { realRecording, realRecordings, VOYAGE_BEGINS } from "../support/recordings.ts";
import { compiledReassembler, withoutWasm } from "../support/wasm.ts";

const ignore = (): void => {};
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const text = ({ pgn, source, received, incomplete, bytes, at, end }: Packet): string =>
  [pgn, source, received, incomplete, Buffer.from(bytes.subarray(at, end)).toString("hex")].join(" ");

/** A digest of packets, without their wall clock: the date of some formats is that of the file. */
class Digest {
  readonly #hash = createHash("sha256");
  readonly #head = new Float64Array(4);

  take({ pgn, source, arrived, incomplete, bytes, at, end }: Packet): void {
    this.#head.set([pgn, source, arrived, incomplete]);
    this.#hash.update(this.#head).update(bytes.subarray(at, end));
  }

  get text(): string {
    return this.#hash.digest("hex");
  }
}

/** Reads bytes in chunks of a size. */
function readerOf(bytes: Uint8Array, size: number, visit: (packet: Packet) => void): RecordingReader {
  const options = { modified: VOYAGE_BEGINS, module: compiledReassembler(), catalogue: createCatalogue() };
  const reader = new RecordingReader({ ...options, visit });
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size), false);
  reader.push(new Uint8Array(0), true);
  return reader;
}

const voyage = Buffer.from(
  [...simulated(20_000, VOYAGE_BEGINS)].map(({ frames }) => candumpText(frames!, "can0")).join(""),
);

describe.skipIf(withoutWasm !== undefined)(`recordings in a browser ${withoutWasm ?? ""}`, () => {
  test("a recording in many gzip members has the packets of the text, wherever it is cut", () => {
    const expected: string[] = [];
    readerOf(voyage, voyage.length, (packet) => expected.push(text(packet)));
    expect(expected.length).toBeGreaterThan(1000);
    const half = voyage.length >> 1;
    const packed = Buffer.concat([gzipSync(voyage.subarray(0, half)), gzipSync(voyage.subarray(half))]);
    for (const [bytes, size] of [
      [voyage, 1009],
      [packed, packed.length],
      [packed, 101],
    ] as const) {
      const read: string[] = [];
      readerOf(bytes, size, (packet) => read.push(text(packet)));
      expect(read).toEqual(expected);
    }
  });

  test.skipIf(realRecordings.length === 0)("real recordings have the packets of hub-cand", async () => {
    for (const name of realRecordings) {
      const file = new RecordingFile(realRecording(name), { clock: systemClock, log, speed: 0 });
      const source = new ReassembledSource({ name: "replay", batches: file.batches() });
      const [expected, read] = [new Digest(), new Digest()];
      for await (const batch of source.packets(fastPacketTable(createCatalogue().fastPackets())))
        forEachPacket(batch, (packet) => expected.take(packet));
      const reader = readerOf(readFileSync(realRecording(name)), 70_001, (packet) => read.take(packet));
      expect(read.text, name).toBe(expected.text);
      expect([reader.format, reader.times], name).toEqual([file.format, file.times]);
    }
  });

  test("streams have their last message, period and values", () => {
    const catalogue = createCatalogue();
    const reader = new RecordingReader({
      ...{ modified: VOYAGE_BEGINS, module: compiledReassembler(), catalogue },
      visit: (packet) => inspection.hear(packet),
    });
    const inspection = new Inspection(catalogue, () => reader.counters());
    reader.push(voyage, true);
    const { streams, devices, span, from } = inspection.report("dated");
    expect(from).toMatch(/^2026-11-21T08:14:2/);
    expect(devices.length).toBeGreaterThan(5);
    const depth = streams.find(({ pgn }) => pgn === 128267)!;
    expect(depth).toMatchObject({ title: "Water Depth", message: { depthM: expect.any(Number) } });
    expect(depth.periodMs).toBeCloseTo(1000, -2);
    const series = new SeriesReader(catalogue, depth, "depthM", span);
    readerOf(voyage, voyage.length, (packet) => series.hear(packet));
    const lows = series.series.low.filter((value) => value !== undefined);
    expect(lows).toHaveLength(depth.count);
    expect(lows.at(-1)).toBe(depth.message!.depthM);
  });

  test.each([
    ["Dear captain,\n", "Its format is not known"],
    ["", "It is empty"],
  ])("%j is refused", (content, reason) => {
    expect(() => readerOf(Buffer.from(content), 100, ignore)).toThrow(new UnreadableRecording(reason));
  });
});
