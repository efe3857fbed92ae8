/**
 * Properties of reassembly for any frames, through the addon. Each run tries other frames; a failure prints its seed.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createReassembler } from "../../../../src/adapters/node/can/can-bus.ts";
import { fastPacketTable } from "../../../../src/core/n2k/fast-packets.ts";
import { packetsOf } from "../../../support/packets.ts";
import { fastFrames, frameRecords, type TestFrame } from "./frames.ts";

const FAST = 129029;
const GUARDED = 127747;
const table = fastPacketTable([{ pgn: FAST }, { pgn: GUARDED, length: 15 }]);

function reassemble(frames: readonly TestFrame[]) {
  const reassembler = createReassembler(table, { ringBytes: 1 << 20 });
  expect(reassembler.push(frameRecords(frames), frames.length)).toBe(frames.length);
  const bytes = new Uint8Array(1 << 20);
  const length = reassembler.drain(bytes);
  const packets = Array.from(packetsOf({ bytes, length }), ({ source, transport, at, end }) => ({
    source,
    transport,
    payload: [...bytes.subarray(at, end)],
  }));
  return { packets, counters: reassembler.counters(), accounting: reassembler.accounting() };
}

/** The fate of a frame on the bus. */
const fate = fc.oneof({ weight: 12, arbitrary: fc.constant("heard") }, fc.constantFrom("lost", "repeated", "swapped"));

/** Packets of one sender, 110 ms apart: a sequence counter is used again when the time-out of 750 ms has passed. */
const sending = fc.record({
  source: fc.integer({ min: 0, max: 3 }),
  begin: fc.integer({ min: 0, max: 7 }),
  lengths: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 40 }),
});

/** Another device sends all the time, so no loss looks like a pause of the whole bus. */
const traffic = Array.from({ length: 100 }, (_, index) => ({
  pgn: 60416,
  source: 98,
  destination: 99,
  data: [],
  at: 50 * index,
}));

test("never glues two packets, however lossy the bus", () => {
  const senders = fc.uniqueArray(sending, { selector: ({ source }) => source });
  const fates = fc.infiniteStream(fate);
  fc.assert(
    fc.property(senders, fates, (sendings, fates) => {
      const sent = new Set<string>();
      const frames = sendings
        .flatMap(({ source, begin, lengths }) =>
          lengths.flatMap((length, number) => {
            // Every byte tells the packet it belongs to.
            const payload = Array<number>(length).fill((source << 6) | number);
            sent.add(payload.join());
            return fastFrames(payload, (begin + number) % 8).map((data, index) => ({
              pgn: FAST,
              source,
              data,
              at: 110 * number + index * 2,
            }));
          }),
        )
        .sort((a, b) => a.at - b.at);
      const heard: (typeof frames)[number][] = [];
      for (const frame of frames) {
        const happens = fates.next().value;
        if (happens === "lost") continue;
        heard.push(frame);
        if (happens === "repeated") heard.push(frame);
        if (happens === "swapped") heard.splice(-2, 2, ...heard.slice(-2).reverse());
      }
      const { packets } = reassemble([...heard, ...traffic].sort((a, b) => a.at - b.at));
      for (const { payload } of packets) expect(sent).toContain(payload.join());
    }),
  );
});

test("finishes every packet of a bus that loses nothing, however its senders interleave", () => {
  const message = fc.record({
    source: fc.integer({ min: 0, max: 253 }),
    payload: fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 223 }),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(message, { selector: ({ source }) => source }),
      fc.infiniteStream(fc.nat()),
      (all, dice) => {
        const queues = all.map(({ source, payload }) =>
          fastFrames(payload, source % 8).map((data) => ({ pgn: FAST, source, data })),
        );
        const frames: TestFrame[] = [];
        for (let open = queues; open.length > 0; open = open.filter((queue) => queue.length > 0)) {
          frames.push(open[dice.next().value % open.length]!.shift()!);
        }
        const { packets, counters } = reassemble(frames);
        const bySource = (a: { source: number }, b: { source: number }) => a.source - b.source;
        expect(packets.sort(bySource)).toEqual(all.map((packet) => ({ ...packet, transport: 1 })).sort(bySource));
        expect(Object.values(counters.discarded).every((count) => count === 0)).toBe(true);
      },
    ),
  );
});

test("accounts for any frames", () => {
  const byte = fc.oneof(fc.constantFrom(0, 1, 2, 15, 16, 17, 19, 20, 32, 33, 255), fc.integer({ min: 0, max: 255 }));
  const frame = fc.record({
    pgn: fc.constantFrom(FAST, GUARDED, 127250, 60416, 60160, 60928),
    source: fc.constantFrom(1, 2, 254, 255),
    destination: fc.constantFrom(1, 2, 255),
    data: fc.oneof(fc.array(byte, { minLength: 8, maxLength: 8 }), fc.array(byte, { maxLength: 8 })),
    flags: fc.oneof({ weight: 20, arbitrary: fc.constant(2 ** 31) }, fc.constantFrom(0, 2 ** 31 + 2 ** 30, 2 ** 29)),
    at: fc.double({ min: 0, max: 1e6, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 500 }), (frames) => {
      const { packets, counters, accounting } = reassemble(frames);
      const total = (counts: object): number => Object.values(counts).reduce((sum, count) => sum + count, 0);
      expect(total(accounting) + counters.lost.ring).toBe(counters.frames);
      expect(counters.frames + total(counters.ignored)).toBe(frames.length);
      expect(total(counters.packets)).toBe(packets.length);
    }),
  );
});
