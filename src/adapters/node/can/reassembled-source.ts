/** A source of frames and whole messages, such as a recording: frames go through the reassembler of the addon. */
import type { InterfaceMonitor } from "../../../core/ports/interface-monitor.ts";
import { forEachPacket } from "../../../core/ports/packet-batch.ts";
import type { BusCounters, PacketBatch, PacketSource, RecordedTimes } from "../../../core/ports/packet-source.ts";
import type { Tally } from "../../../core/util/tally.ts";
import { FRAME_BYTES, type FrameBatch } from "../../../formats/recording/frame-batch.ts";
import { FrameCounter } from "../../../formats/recording/frame-counter.ts";
import type { RecordingBatch } from "../../../formats/recording/record-writer.ts";
import { MessageFrames } from "../streams/message-frames.ts";
import { createReassembler } from "./can-bus.ts";

const BATCH_BYTES = 1 << 18;
/** Packets are drained after each push, so few have to wait. */
const RING_BYTES = 1 << 18;

export interface ReassembledSourceOptions {
  /** Name published in place of that of an interface. */
  readonly name: string;
  readonly batches: AsyncIterable<RecordingBatch>;
  /** Lines or records that could not be read so far. */
  readonly malformed?: () => number;
  /** See `SessionOptions`. */
  readonly unusedTransducers?: Tally;
  /** See `PacketSource`. */
  readonly times?: () => RecordedTimes;
  readonly close?: () => void;
  /** Called with all frames before they are reassembled, valid until it returns. */
  readonly onFrames?: ((frames: FrameBatch) => void) | undefined;
  /** Called with the frames into which whole messages are split, valid until it returns. */
  readonly onMessageFrames?: ((frames: FrameBatch) => void) | undefined;
  readonly atFullSpeed?: boolean;
}

export class ReassembledSource implements PacketSource {
  readonly monitor: InterfaceMonitor;
  readonly atFullSpeed: boolean;
  readonly #options: ReassembledSourceOptions;
  readonly #reassembler = createReassembler(new Uint32Array(0), { ringBytes: RING_BYTES });
  readonly #messageFrames: MessageFrames | undefined;
  /** Whole messages, by the transport that their length needs. */
  readonly #whole: [single: number, fast: number, isoTp: number] = [0, 0, 0];
  #isOpen = true;

  /** Throws `AddonError`. */
  constructor(options: ReassembledSourceOptions) {
    this.#options = options;
    this.monitor = new FrameCounter(options.name);
    this.atFullSpeed = options.atFullSpeed ?? false;
    if (options.onMessageFrames) this.#messageFrames = new MessageFrames();
  }

  async *packets(fastPacketTable: Uint32Array): AsyncGenerator<PacketBatch> {
    this.setFastPacketTable(fastPacketTable);
    if (!this.#isOpen) return;
    const { batches, onFrames, onMessageFrames } = this.#options;
    const bytes = new Uint8Array(BATCH_BYTES);
    for await (const { frames, packets } of batches) {
      if (!this.#isOpen) return;
      if (frames !== undefined) {
        onFrames?.(frames);
        yield* this.#reassembled(frames, bytes);
      }
      if (packets === undefined) continue;
      if (this.#messageFrames) for (const each of this.#messageFrames.of(packets)) onMessageFrames!(each);
      forEachPacket(packets, ({ transport }) => {
        this.#whole[transport]! += 1;
      });
      yield packets;
    }
  }

  get times(): RecordedTimes {
    return this.#options.times?.() ?? "dated";
  }

  counters(): BusCounters {
    const { malformed, unusedTransducers } = this.#options;
    const counters = this.#reassembler.counters();
    const { single, fast, isoTp } = counters.packets;
    const [ofOne, ofSome, ofMany] = this.#whole;
    return {
      ...counters,
      packets: { single: single + ofOne, fast: fast + ofSome, isoTp: isoTp + ofMany },
      malformed: malformed?.() ?? 0,
      unusedTransducers: unusedTransducers?.counts,
    };
  }

  setFastPacketTable(fastPacketTable: Uint32Array): void {
    this.#reassembler.setFastPacketTable(fastPacketTable);
    this.#messageFrames?.setFastPacketTable(fastPacketTable);
  }

  /** Frames may be missing before the next batch, so that packets that are open do not go on. */
  interrupted(): void {
    this.#reassembler.interrupt();
  }

  close(): void {
    this.#isOpen = false;
    this.#options.close?.();
  }

  /** The packets that frames complete, one batch at a time, in `bytes`. */
  *#reassembled(frames: FrameBatch, bytes: Uint8Array): Generator<PacketBatch> {
    const count = frames.length / FRAME_BYTES;
    for (let taken = 0; taken < count; ) {
      taken += this.#reassembler.push(frames.bytes.subarray(taken * FRAME_BYTES), count - taken);
      for (let length = this.#reassembler.drain(bytes); length > 0; length = this.#reassembler.drain(bytes))
        yield { bytes, length };
    }
  }
}
