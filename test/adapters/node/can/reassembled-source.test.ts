import { expect, test } from "vitest";
import { ReassembledSource } from "../../../../src/adapters/node/can/reassembled-source.ts";
import { fastPacketTable } from "../../../../src/core/n2k/fast-packets.ts";
import { type RecordingBatch, RecordWriter } from "../../../../src/formats/recording/record-writer.ts";
import { packetsOf } from "../../../support/packets.ts";
import { counting, fastFrames, frameRecords, type TestFrame } from "./frames.ts";

const FAST = 129029;
const table = fastPacketTable([{ pgn: FAST }]);

const frameBatch = (frames: readonly TestFrame[]): RecordingBatch => {
  const bytes = frameRecords(frames);
  return { frames: { bytes, length: bytes.length } };
};

const inTurn = async function* (batches: Iterable<RecordingBatch>): AsyncGenerator<RecordingBatch> {
  yield* batches;
};

test("ReassembledSource yields the packets of each batch of frames and counts what could not be read", async () => {
  const [first, ...rest] = fastFrames(counting(20), 0).map((data) => ({ pgn: FAST, data }));
  const batches = [frameBatch([{ pgn: 127250, data: [1] }, first!]), frameBatch([]), frameBatch(rest)];
  const source = new ReassembledSource({ name: "replay", batches: inTurn(batches), malformed: () => 3 });
  const seen: number[][] = [];
  for await (const batch of source.packets(table)) seen.push(Array.from(packetsOf(batch), ({ at, end }) => end - at));
  expect(seen).toEqual([[1], [20]]);
  expect(source.counters()).toMatchObject({ frames: 4, malformed: 3, packets: { single: 1, fast: 1 } });
});

test("ReassembledSource passes whole messages on, between the frames they came with", async () => {
  const writer = new RecordWriter();
  writer.packet(1.7e15, 6, 130824, 5, 255, Uint8Array.from(counting(30)), 30);
  const whole = [...writer.drain()];
  const batches = [frameBatch([{ pgn: 127250, data: [1] }]), ...whole, frameBatch([{ pgn: 127251, data: [2] }])];
  const source = new ReassembledSource({ name: "replay", batches: inTurn(batches) });
  const seen: number[] = [];
  for await (const batch of source.packets(table)) for (const { pgn } of packetsOf(batch)) seen.push(pgn);
  expect(seen).toEqual([127250, 130824, 127251]);
  expect(source.counters()).toMatchObject({ frames: 2, packets: { single: 2, fast: 1, isoTp: 0 } });
});

test("ReassembledSource yields more packets than its ring holds", async () => {
  const batch = frameBatch(Array.from({ length: 1000 }, () => ({ pgn: 127250, data: counting(8) })));
  const batches = inTurn(Array.from({ length: 300 }, () => batch));
  const source = new ReassembledSource({ name: "replay", batches });
  let count = 0;
  for await (const packets of source.packets(table)) count += packets.length / 40;
  expect(count).toBe(300_000);
});

test("ReassembledSource ends when it is closed, and lets go of where its frames come from", async () => {
  let isReleased = false;
  const endless = (function* () {
    for (;;) yield frameBatch([{ pgn: 127250, data: [1] }]);
  })();
  const source = new ReassembledSource({
    name: "replay",
    batches: inTurn(endless),
    close: () => {
      isReleased = true;
    },
  });
  let count = 0;
  for await (const _ of source.packets(table)) if (++count === 3) source.close();
  expect(count).toBe(3);
  expect(isReleased).toBe(true);
});

test("ReassembledSource that is closed before it is opened asks nothing of where its frames come from", async () => {
  let isAsked = false;
  const batches = inTurn(
    (function* () {
      isAsked = true;
      yield frameBatch([{ pgn: 127250, data: [1] }]);
    })(),
  );
  const source = new ReassembledSource({ name: "replay", batches });
  source.close();
  for await (const _ of source.packets(table)) expect.unreachable();
  expect(isAsked).toBe(false);
});
