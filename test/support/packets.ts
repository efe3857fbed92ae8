/** The packets of a batch as a list, for tests; their payloads stay in the batch. */
import { forEachPacket, type Packet } from "../../src/core/ports/packet-batch.ts";
import type { PacketBatch } from "../../src/core/ports/packet-source.ts";

export function packetsOf(batch: PacketBatch): Packet[] {
  const packets: Packet[] = [];
  forEachPacket(batch, (packet) => {
    packets.push({ ...packet, priority: packet.priority });
  });
  return packets;
}
