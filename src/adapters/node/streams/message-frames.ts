/** Splits whole messages into frames, for consumers that read frames only. */

import { broadcastFrames, type CanFrame, fastPacketFrames, singleFrame } from "../../../core/can/frames.ts";
import { forEachPacket, type Packet } from "../../../core/ports/packet-batch.ts";
import type { PacketBatch } from "../../../core/ports/packet-source.ts";
import { EXTENDED_FRAME, type FrameBatch } from "../../../formats/recording/frame-batch.ts";
import { RecordWriter } from "../../../formats/recording/record-writer.ts";

const LONGEST_SINGLE_FRAME = 8;
const LONGEST_FAST_PACKET = 223;
/** From this PGN on, messages of several frames are fast packets even if their PGN is not known. */
const FIRST_MIXED_PGN = 0x1f000;

export class MessageFrames {
  readonly #writer = new RecordWriter();
  /** Sequence counters by source. */
  readonly #sequences = new Uint8Array(256);
  /** The fixed length of each fast packet, 0 for any length (`n2k/fast-packets.ts`). */
  #fastPackets: ReadonlyMap<number, number> = new Map();

  setFastPacketTable(table: Uint32Array): void {
    const pairs = Array.from(
      { length: table.length / 2 },
      (_, index) => [table[2 * index]!, table[2 * index + 1]!] as const,
    );
    this.#fastPackets = new Map(pairs);
  }

  /** The frames of the messages, with their stamps. Each batch is valid until the next one is requested. */
  *of(messages: PacketBatch): Generator<FrameBatch, void, void> {
    forEachPacket(messages, (packet) => {
      const payload = packet.bytes.subarray(packet.at, packet.end);
      for (const { id, data } of this.#framesOf(packet, payload))
        this.#writer.frameOf(packet.received * 1000, (id | EXTENDED_FRAME) >>> 0, data, data.length);
    });
    for (const { frames } of this.#writer.drain()) yield frames!;
  }

  #framesOf(packet: Packet, payload: Uint8Array): readonly CanFrame[] {
    const { length } = payload;
    const fixed = this.#fastPackets.get(packet.pgn);
    const isShort = length <= LONGEST_SINGLE_FRAME;
    // A PGN of a certain length is sent as a single frame too.
    if (isShort && (fixed === undefined || fixed > 0)) return [singleFrame(packet, payload)];
    const isFast = fixed !== undefined || packet.pgn >= FIRST_MIXED_PGN;
    if (!isFast || length > LONGEST_FAST_PACKET) return [...broadcastFrames(packet, payload)];
    return fastPacketFrames(packet, payload, this.#sequences[packet.source]!++);
  }
}
