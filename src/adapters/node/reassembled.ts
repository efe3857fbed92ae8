/** Packets of what comes as a recording does: frames go through the reassembly of the addon, whole messages join behind it. */
import type { PacketBatch, PacketSource } from "../../ports/packet-source.ts";
import { FRAME_BYTES } from "../../recording/frame-batch.ts";
import type { RecordingBatch } from "../../recording/record-writer.ts";
import { createReassembler } from "./can-bus.ts";

const BATCH_BYTES = 1 << 18;
/** Packets are taken out as soon as they are finished, so that few have to wait. */
const RING_BYTES = 1 << 18;

export interface ReassembledOptions {
  readonly framing: Uint32Array;
  /** Lines or records of the recording that could not be read so far. */
  readonly malformed?: () => number;
  /** Lets go of where the batches come from. */
  readonly close?: () => void;
  /** Given every frame before it is put together, for whoever records them; valid until it returns. */
  readonly onFrames?: ((frames: PacketBatch) => void) | undefined;
}

export function reassembled(
  batches: AsyncIterable<RecordingBatch>,
  { framing, malformed = () => 0, close = () => {}, onFrames }: ReassembledOptions,
): PacketSource {
  const reassembler = createReassembler(framing, { ringBytes: RING_BYTES });
  const bytes = new Uint8Array(BATCH_BYTES);
  let isOpen = true;

  function* packetsOf(frames: PacketBatch): Generator<PacketBatch> {
    const count = frames.length / FRAME_BYTES;
    for (let taken = 0; taken < count; ) {
      taken += reassembler.push(frames.bytes.subarray(taken * FRAME_BYTES), count - taken);
      for (let length = reassembler.drain(bytes); length > 0; length = reassembler.drain(bytes))
        yield { bytes, length };
    }
  }

  return {
    async *batches() {
      for await (const { frames, packets } of batches) {
        if (!isOpen) return;
        if (frames !== undefined) {
          onFrames?.(frames);
          yield* packetsOf(frames);
        }
        if (packets !== undefined) yield packets;
      }
    },
    counters: () => ({ ...reassembler.counters(), malformed: malformed() }),
    setFraming: (next) => reassembler.setFraming(next),
    close() {
      isOpen = false;
      close();
    },
  };
}
