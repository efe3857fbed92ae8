import fc from "fast-check";
import { expect, test } from "vitest";
import { ReassembledSource } from "../../../../src/adapters/node/can/reassembled-source.ts";
import { isAddressed } from "../../../../src/core/can/can-id.ts";
import { fastPacketTable } from "../../../../src/core/n2k/fast-packets.ts";
import type { FrameBatch } from "../../../../src/formats/recording/frame-batch.ts";
import { type RecordingBatch, RecordWriter } from "../../../../src/formats/recording/record-writer.ts";
import { type Message, recordsOf } from "../../../formats/recording/reading.ts";

const SINGLE = 127250;
const FAST = 129029;
const SOMETIMES_FAST = 127747;
const ADDRESSED = 126208;
const UNKNOWN_ISO = 65240;
const UNKNOWN_MIXED = 130900;
const table = fastPacketTable([{ pgn: FAST }, { pgn: ADDRESSED }, { pgn: SOMETIMES_FAST, length: 15 }]);

type Whole = Omit<Message, "wall" | "payload"> & { readonly payload: Uint8Array };

/** Runs messages through a source; gives the frames that it tells, which are reassembled by another one. */
async function throughFrames(messages: readonly Whole[]): Promise<{ frames: number; again: Message[] }> {
  const writer = new RecordWriter();
  for (const { priority, pgn, source, destination, payload } of messages)
    writer.packet(1.7e15, priority, pgn, source, destination, payload, payload.length);
  const told: RecordingBatch[] = [];
  const onMessageFrames = ({ bytes, length }: FrameBatch): void =>
    void told.push({ frames: { bytes: bytes.slice(0, length), length } });
  const batches = (async function* () {
    yield* [...writer.drain()];
  })();
  const source = new ReassembledSource({ name: "whole", batches, onMessageFrames });
  for await (const _ of source.packets(table));
  const again: Message[] = [];
  const reader = new ReassembledSource({
    name: "frames",
    batches: (async function* () {
      yield* told;
    })(),
  });
  for await (const packets of reader.packets(table)) again.push(...(recordsOf({ packets }) as Message[]));
  return { frames: told.reduce((sum, { frames }) => sum + frames!.length / 32, 0), again };
}

const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => index + 1);
const whole = (pgn: number, length: number): Whole => ({
  priority: 3,
  pgn,
  source: 7,
  destination: 255,
  payload: bytes(length),
});

test.each([
  ["a message of a single frame", whole(SINGLE, 8), 1],
  ["a short message of a fast packet", whole(FAST, 5), 1],
  ["a fast packet", whole(FAST, 223), 32],
  ["a PGN that others send as a single frame, short", whole(SOMETIMES_FAST, 8), 1],
  ["a PGN that others send as a single frame, long", whole(SOMETIMES_FAST, 15), 3],
  ["a long message of a PGN of one frame, by ISO transport", whole(UNKNOWN_ISO, 9), 3],
  ["a message beyond a fast packet, by ISO transport", whole(FAST, 224), 33],
  ["the longest message", whole(FAST, 1785), 256],
] as const)("%s goes through frames", async (_, message, count) => {
  const { frames, again } = await throughFrames([message, message]);
  const { priority: __, ...told } = { ...message, payload: Buffer.from(message.payload).toString("hex"), wall: 1.7e15 };
  expect(again).toMatchObject([told, told]);
  expect(frames).toBe(2 * count);
});

test("a long message of an unknown PGN is a fast packet where NMEA 2000 has those", async () => {
  expect((await throughFrames([whole(UNKNOWN_MIXED, 20)])).frames).toBe(3);
});

test("whole messages come out of their frames as they were, whatever is between them", async () => {
  const message = fc
    .record({
      priority: fc.nat(7),
      pgn: fc.constantFrom(SINGLE, FAST, ADDRESSED),
      source: fc.constantFrom(1, 2),
      destination: fc.constantFrom(255, 9),
      payload: fc.uint8Array({ minLength: 1, maxLength: 223 }),
    })
    .map((each) => ({
      ...each,
      destination: isAddressed(each.pgn) ? each.destination : 255,
      payload: each.pgn === SINGLE ? each.payload.slice(0, 8) : each.payload,
    }));
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 30 }), async (messages) => {
      const { again } = await throughFrames(messages);
      expect(again).toEqual(
        messages.map((each) => ({ ...each, wall: 1.7e15, payload: Buffer.from(each.payload).toString("hex") })),
      );
    }),
  );
});
