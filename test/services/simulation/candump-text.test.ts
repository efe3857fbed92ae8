import { expect, test } from "vitest";
import { candumpLog } from "../../../src/formats/recording/formats/candump-log.ts";
import { type RecordingBatch, RecordWriter } from "../../../src/formats/recording/record-writer.ts";
import { simulatedCandump } from "../../../src/services/simulation/candump-text.ts";
import { simulated } from "../../../src/services/simulation/traffic.ts";

const WALL = Date.UTC(2026, 10, 21, 8, 14, 26);

/**
 * Wall clock, identifier, length and data of each frame; the monotonic clock of a recording begins with its first
 * frame.
 */
const framesOf = (batches: Iterable<RecordingBatch>): string[] =>
  [...batches].flatMap(({ frames }) => {
    const view = Buffer.from(frames!.bytes.subarray(0, frames!.length));
    return Array.from({ length: view.length / 32 }, (_, index) =>
      view.toString("hex", index * 32, index * 32 + 8).concat(view.toString("hex", index * 32 + 16, index * 32 + 32)),
    );
  });

test("simulatedCandump writes what the reader of candump -L reads back, frame for frame", () => {
  const reader = candumpLog.createReader({ modified: 0 });
  const writer = new RecordWriter();
  const read: string[] = [];
  for (const text of simulatedCandump(5000, WALL)) {
    reader.read(Buffer.from(text), false, writer);
    read.push(...framesOf(writer.drain()));
  }
  reader.read(new Uint8Array(0), true, writer);
  read.push(...framesOf(writer.drain()));
  expect(reader.malformed).toBe(0);
  expect(read).toEqual(framesOf(simulated(5000, WALL)));
});

test("simulatedCandump names the interface", () => {
  const [first] = simulatedCandump(1000, WALL, "vcan3");
  expect(first!.split("\n", 1)[0]).toMatch(/^\(1795248866\.\d{6}\) vcan3 18EAFF01#00EE00$/);
});
