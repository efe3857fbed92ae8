/** From a message to frames, through the reassembly of the addon as the catalogue frames it, and back. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createReassembler } from "../../../src/adapters/node/can/can-bus.ts";
import { GLOBAL_ADDRESS } from "../../../src/core/can/can-id.ts";
import { broadcastFrames, type CanFrame, fastPacketFrames, singleFrame } from "../../../src/core/can/frames.ts";
import { createCatalogue, type Reader } from "../../../src/core/n2k/catalogue.ts";
import { encoderOf } from "../../../src/core/n2k/encode.ts";
import { fastPacketTable } from "../../../src/core/n2k/fast-packets.ts";
import { assumed } from "../../../src/core/n2k/pgns/assumed.ts";
import { textOf } from "../../../src/core/text/ascii-buffer.ts";
import { EXTENDED_FRAME, FRAME_BYTES } from "../../../src/formats/recording/frame-batch.ts";
import { packetsOf } from "../../support/packets.ts";
import { messages } from "./messages.ts";

const SOURCE = 7;
const catalogue = createCatalogue();
const reassembler = createReassembler(fastPacketTable(catalogue.fastPackets()));
const bytes = new Uint8Array(65_536);
let now = 0;
let sequence = 0;

/** The messages that reassembly makes of these frames, read by the reader of their PGN. */
function hear(frames: readonly CanFrame[], { write, definition }: Reader): unknown[] {
  const records = new DataView(new ArrayBuffer(frames.length * FRAME_BYTES));
  for (const [index, { id, data }] of frames.entries()) {
    const at = index * FRAME_BYTES;
    now += 1000;
    records.setFloat64(at, now, true);
    records.setFloat64(at + 8, now, true);
    records.setUint32(at + 16, (id | EXTENDED_FRAME) >>> 0, true);
    records.setUint8(at + 20, data.length);
    new Uint8Array(records.buffer).set(data, at + 24);
  }
  reassembler.push(new Uint8Array(records.buffer), frames.length);
  const heard: unknown[] = [];
  for (let length = reassembler.drain(bytes); length > 0; length = reassembler.drain(bytes)) {
    for (const packet of packetsOf({ bytes, length })) {
      expect(packet.pgn).toBe(definition.pgn);
      heard.push(JSON.parse(textOf(write)(packet)));
    }
  }
  return heard;
}

function framesOf(pgn: number, payload: Uint8Array, transport: "single" | "fast" | "isoTp"): readonly CanFrame[] {
  const header = { priority: 6, pgn, source: SOURCE, destination: GLOBAL_ADDRESS };
  if (transport === "single" && payload.length <= 8) return [singleFrame(header, payload)];
  return transport === "fast" ? fastPacketFrames(header, payload, sequence++) : broadcastFrames(header, payload);
}

/** Their shape in the assumed layout may be that of the public message. */
const shaped = new Set(assumed.filter((each) => each.public?.shape !== undefined).map((each) => each.definition.pgn));

test.each(catalogue.readers.filter(({ definition }) => !shaped.has(definition.pgn)))(
  "$definition.pgn $definition.title survives",
  (reader) => {
    const { definition } = reader;
    const encode = encoderOf(definition);
    fc.assert(
      fc.property(messages(definition), (message) => {
        const payload = encode(message as never);
        const heard = hear(framesOf(definition.pgn, payload, definition.transport), reader);
        expect(heard).toHaveLength(1);
        expect(heard[0]).toMatchObject(message);
      }),
      { numRuns: 15 },
    );
  },
);

test("what is longer than eight bytes may come by the ISO transport protocol as well", () => {
  const reader = catalogue.reader(129029)!;
  const message = { pgn: 129029, latitude: 52.1234567891, longitude: 4.1234567891 };
  const payload = encoderOf(reader.definition)(message as never);
  expect(hear(framesOf(129029, payload, "isoTp"), reader)).toEqual([message]);
});
