/** The packets of a batch as a list, for tests; their payloads stay where the batch has them. */
import { forEachPacket, PACKET_HEAD_BYTES, type Packet } from "../src/bridge/packet-batch.ts";
import type { PacketBatch } from "../src/ports/packet-source.ts";

/** Bytes from the start of a record to its priority. */
const PRIORITY_AT = 24;

export interface TestedPacket extends Packet {
  readonly priority: number;
}

export function packetsOf(batch: PacketBatch): TestedPacket[] {
  const packets: TestedPacket[] = [];
  forEachPacket(batch, (packet) => {
    packets.push({ ...packet, priority: packet.bytes[packet.at - PACKET_HEAD_BYTES + PRIORITY_AT]! });
  });
  return packets;
}
