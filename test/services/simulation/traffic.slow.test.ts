import fc from "fast-check";
import { expect, test } from "vitest";
import { createReassembler } from "../../../src/adapters/node/can/can-bus.ts";
import { fromCanId } from "../../../src/core/can/can-id.ts";
import { createCatalogue } from "../../../src/core/n2k/catalogue.ts";
import { fastPacketTable } from "../../../src/core/n2k/fast-packets.ts";
import { EXTENDED_FRAME, FRAME_BYTES } from "../../../src/formats/recording/frame-batch.ts";
import type { RecordingBatch } from "../../../src/formats/recording/record-writer.ts";
import { devices } from "../../../src/services/simulation/devices.ts";
import { createTraffic, frameTime, simulated } from "../../../src/services/simulation/traffic.ts";
import { packetsOf } from "../../support/packets.ts";

const WALL = Date.UTC(2026, 10, 21, 8, 14, 26);

const joined = (batches: Iterable<RecordingBatch>): Buffer =>
  Buffer.concat([...batches].map(({ frames }) => frames!.bytes.subarray(0, frames!.length)));

interface Seen {
  readonly wall: number;
  readonly monotonic: number;
  readonly id: number;
  readonly length: number;
  readonly data: Uint8Array;
}

function framesIn(bytes: Uint8Array): Seen[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / FRAME_BYTES }, (_, index) => {
    const at = index * FRAME_BYTES;
    const length = bytes[at + 20]!;
    return {
      wall: view.getFloat64(at, true),
      monotonic: view.getFloat64(at + 8, true),
      id: view.getUint32(at + 16, true),
      length,
      data: bytes.subarray(at + 24, at + 24 + length),
    };
  });
}

const minute = joined(simulated(60_000, WALL));
const frames = framesIn(minute);

/** The number of messages of this interval that have been begun after `duration` milliseconds. */
const timesSent = (first: number, every: number, duration: number): number =>
  first > duration ? 0 : 1 + Math.floor((duration - first) / every);

test("createTraffic gives the same frames however time is cut", () => {
  const whole = joined(createTraffic({ wall: WALL, monotonic: 12.5 }).until(3000));
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 3000, noNaN: true }), { maxLength: 60 }), (cuts) => {
      const traffic = createTraffic({ wall: WALL, monotonic: 12.5 });
      const pieces = [...cuts.sort((a, b) => a - b), 3000].flatMap((elapsed) => traffic.until(elapsed));
      expect(joined(pieces).equals(whole)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test("createTraffic gives nothing before it is through, and nothing twice", () => {
  const traffic = createTraffic({ wall: WALL, monotonic: 0 });
  const first = framesIn(joined(traffic.until(1000)));
  const then = framesIn(joined(traffic.until(2000)));
  expect(traffic.until(2000)).toEqual([]);
  expect(first.every(({ monotonic }) => monotonic <= 1_000_000)).toBe(true);
  expect(then.every(({ monotonic }) => monotonic > 1_000_000 && monotonic <= 2_000_000)).toBe(true);
});

test("simulated stamps each frame with both clocks, one behind the other as a bus of 250 kbit/s lets them", () => {
  let before = 0;
  for (const { wall, monotonic, id, length } of frames) {
    expect(monotonic - before).toBeGreaterThanOrEqual(frameTime(length));
    expect(wall).toBe(1000 * WALL + monotonic);
    expect(id).toBeGreaterThanOrEqual(EXTENDED_FRAME);
    before = monotonic;
  }
});

test("simulated leaves the bus room: 250 to 600 frames a second, at most 60 percent in any second", () => {
  expect(frames.length / 60).toBeGreaterThan(250);
  expect(frames.length / 60).toBeLessThan(600);
  const busy = new Array<number>(60).fill(0);
  for (const { monotonic, length } of frames) {
    const second = Math.min(59, Math.floor(monotonic / 1e6));
    busy[second]! += frameTime(length);
  }
  expect(Math.max(...busy)).toBeLessThan(600_000);
});

test("simulated lets every device claim an address before it sends anything else", () => {
  const claims = new Set<number>();
  for (const { id } of frames) {
    const { pgn, source } = fromCanId(id & 0x1fffffff);
    if (pgn === 60928) claims.add(source);
    else if (pgn !== 59904) expect(claims.has(source)).toBe(true);
  }
  expect(claims).toEqual(new Set(devices.map(({ address }) => address)));
});

test("simulated goes through the reassembly whole: every packet arrives as often as it was sent, nothing is discarded", () => {
  const reassembler = createReassembler(fastPacketTable(createCatalogue().fastPackets()));
  const into = new Uint8Array(1 << 18);
  const heard = new Map<string, number>();
  for (const { frames: batch } of simulated(60_000, WALL)) {
    const count = batch!.length / FRAME_BYTES;
    for (let taken = 0; taken < count; ) {
      taken += reassembler.push(batch!.bytes.subarray(taken * FRAME_BYTES), count - taken);
      for (let length = reassembler.drain(into); length > 0; length = reassembler.drain(into)) {
        for (const { source, pgn } of packetsOf({ bytes: into, length })) {
          const key = `${source} ${pgn}`;
          heard.set(key, (heard.get(key) ?? 0) + 1);
        }
      }
    }
  }
  const counters = reassembler.counters();
  expect(counters.frames).toBe(frames.length);
  expect(Object.values(counters.discarded).every((count) => count === 0)).toBe(true);
  expect(Object.values(counters.ignored).every((count) => count === 0)).toBe(true);

  const sent = new Map<string, number>();
  for (const { address, messages } of devices) {
    for (const { definition, firstMs, periodMs } of messages) {
      const key = `${address} ${definition.pgn}`;
      sent.set(key, (sent.get(key) ?? 0) + timesSent(firstMs, periodMs, 60_000));
    }
  }
  for (const [key, count] of sent) {
    // A message begun at the end may not be complete.
    expect(count - (heard.get(key) ?? 0), key).toBeGreaterThanOrEqual(0);
    expect(count - (heard.get(key) ?? 0), key).toBeLessThanOrEqual(1);
  }
  expect([...heard.keys()].filter((key) => !sent.has(key))).toEqual([]);
});

test("simulated counts the packets of each message on its own", () => {
  const fast = new Set(
    createCatalogue()
      .fastPackets()
      .map(({ pgn }) => pgn),
  );
  const last = new Map<string, number>();
  for (const { id, data } of frames) {
    const { pgn, source } = fromCanId(id & 0x1fffffff);
    if (!fast.has(pgn) || (data[0]! & 0x1f) !== 0) continue;
    const line = `${source} ${pgn}`;
    const before = last.get(line);
    if (before !== undefined) expect(data[0]! >> 5, line).toBe((before + 1) % 8);
    last.set(line, data[0]! >> 5);
  }
  expect(last.size).toBeGreaterThan(20);
});
