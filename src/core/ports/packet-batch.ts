/**
 * Finished packets on their way from reassembly to decoding: records in host order, written by
 * `native/packet_record.h`, read here. A record begins at a multiple of 8.
 *
 *      0  f64    received: wall clock of the last frame, microseconds since 1970
 *      8  f64    arrived: monotonic clock of the last frame, microseconds
 *     16  u32    PGN
 *     20  u16    length of the payload, 0..1785
 *     22  u8     source address
 *     23  u8     destination address, 255 for all
 *     24  u8     priority 0..7
 *     25  u8     transport: 0 single frame, 1 fast packet, 2 ISO transport protocol
 *     26  u8[2]  zero
 *     28  u32    packets that its source has begun and not finished so far; wraps around
 *     32  payload, filled up with zeros to a multiple of 8
 */
import type { PacketBatch } from "./packet-source.ts";

const PACKET_HEAD_BYTES = 32;

/**
 * One packet in its batch: the payload is `bytes` from `at` to `end`. Valid until the next packet is visited; a
 * listener has to copy the parts that it keeps.
 */
export class Packet {
  /** Wall clock of the last frame, milliseconds since 1970 with microseconds as decimals. */
  received = 0;
  /** Monotonic clock of the last frame, milliseconds. */
  arrived = 0;
  pgn = 0;
  /** Address of the sender among those of all networks (`can/networks.ts`); of the destination on its own network. */
  source = 0;
  destination = 255;
  transport = 0;
  /** Packets of its source that were begun and not finished so far, 32 bits that wrap around. */
  incomplete = 0;
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  end = 0;

  /** 0 (most urgent) to 7. */
  get priority(): number {
    return this.bytes[this.at - PACKET_HEAD_BYTES + 24]!;
  }
}

/**
 * Calls `visit` for each packet of a batch, in order, with one `packet` that moves; the addresses of its network begin at
 * `firstAddress`. Returns the last; undefined for an empty batch.
 *
 * @example forEachPacket(batch, ({ pgn, source }) => console.log(pgn, source));
 */
export function forEachPacket<Moved extends Packet = Packet>(
  { bytes, length }: PacketBatch,
  visit: (packet: Moved) => void,
  firstAddress = 0,
  packet = new Packet() as Moved,
): Moved | undefined {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, length >> 2);
  const doubles = new Float64Array(bytes.buffer, bytes.byteOffset, length >> 3);
  packet.bytes = bytes;
  for (let start = 0; start < length; start = (packet.end + 7) & ~7) {
    const word = start >> 2;
    const lengthAndAddresses = words[word + 5]!;
    packet.received = doubles[start >> 3]! / 1000;
    packet.arrived = doubles[(start >> 3) + 1]! / 1000;
    packet.pgn = words[word + 4]!;
    packet.source = firstAddress + ((lengthAndAddresses >> 16) & 0xff);
    packet.destination = lengthAndAddresses >>> 24;
    packet.transport = bytes[start + 25]!;
    packet.incomplete = words[word + 7]!;
    packet.at = start + PACKET_HEAD_BYTES;
    packet.end = packet.at + (lengthAndAddresses & 0xffff);
    visit(packet);
  }
  return length > 0 ? packet : undefined;
}
