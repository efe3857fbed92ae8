/**
 * Captures of SocketCAN interfaces in the pcapng format, which Wireshark and dumpcap write by default. Layout:
 * draft-ietf-opsawg-pcapng. A file is a sequence of blocks:
 *
 *     type u32, length of the block u32, body, length of the block u32
 *     section    0x0a0d0d0a: byte order magic u32, which holds for the blocks after it, the rest is not read
 *     interface  1: link type u16, 0 u16, snap length u32, options: code u16, length u16, value padded to 4
 *     packet     6: interface u32, stamp u32 (high) u32 (low), captured length u32, wire length u32, captured bytes
 *
 * Packets of interfaces other than CAN are skipped and not counted.
 */

import { CollectedBlock } from "../collected-block.ts";
import type { RecordWriter } from "../record-writer.ts";
import { LARGEST_FRAME_BYTES, LINK_TYPE_SOCKETCAN, writeCapturedFrame } from "./captured-frame.ts";
import type { Format, Head, Reader } from "./format.ts";

const SECTION = 0x0a0d0d0a;
const INTERFACE = 1;
const PACKET = 6;
const BYTE_ORDER_MAGIC = 0x1a2b3c4d;
const OPTION_RESOLUTION = 9;
const OPTION_OFFSET = 14;
const BLOCK_HEAD_BYTES = 8;
/** Head of a section block with the byte order magic, which is needed to read the length of the block. */
const SECTION_HEAD_BYTES = 12;
const PACKET_HEAD_BYTES = BLOCK_HEAD_BYTES + 20;
/** Far above any block of a CAN capture; a longer block is a sign of a damaged file. */
const LONGEST_BLOCK = 16 * 1024 * 1024;
/** The year 10000 in microseconds; stamps and offsets of 64 bits go far beyond. */
const NO_DATE = 253_402_300_800_000_000;
/** Bytes kept of a block: a packet with its frame, an interface with its options. */
const KEPT_BYTES = 4096;

interface CapturedInterface {
  readonly linkType: number;
  /** Units of the stamp in a second; a power of ten or two. */
  readonly ticksPerSecond: bigint;
  /** Microseconds to add to stamps. */
  readonly offset: number;
}

class PcapngReader implements Reader {
  malformed = 0;
  problem: string | undefined;
  readonly #block = new CollectedBlock(KEPT_BYTES);
  #littleEndian = false;
  #interfaces: CapturedInterface[] = [];
  #foreignLinkType: number | undefined;
  #anyCan = false;

  read(chunk: Uint8Array, end: boolean, writer: RecordWriter): void {
    let at = 0;
    while (this.problem === undefined) {
      const need = this.#need();
      at = this.#block.take(chunk, at, need);
      if (!this.#block.isWhole(need)) break;
      this.#collected(writer);
    }
    if (!end || this.problem !== undefined) return;
    if (this.#block.isOpen) this.problem = "ends within a record";
    else if (!this.#anyCan && this.#foreignLinkType !== undefined) {
      this.problem = `is a capture of link type ${this.#foreignLinkType}, not of SocketCAN (${LINK_TYPE_SOCKETCAN})`;
    }
  }

  #need(): number {
    if (this.#block.have < SECTION_HEAD_BYTES) return SECTION_HEAD_BYTES;
    return Math.max(SECTION_HEAD_BYTES, Math.min(this.#blockLength(), KEPT_BYTES));
  }

  #blockLength(): number {
    return this.#block.view.getUint32(4, this.#littleEndian);
  }

  #collected(writer: RecordWriter): void {
    const type = this.#block.view.getUint32(0, this.#littleEndian);
    // The type of a section is the same in both byte orders.
    if (type === SECTION && this.#block.have === SECTION_HEAD_BYTES && !this.#section()) return;
    const length = this.#blockLength();
    if (length < SECTION_HEAD_BYTES || length % 4 !== 0 || length > LONGEST_BLOCK) {
      this.problem = `is damaged: a record claims ${length} bytes`;
      return;
    }
    const kept = Math.min(length, KEPT_BYTES);
    if (this.#block.have < kept) return;
    this.#block.rest = length - kept;
    this.#block.have = 0;
    if (type === INTERFACE) this.#interface(kept);
    else if (type === PACKET) this.#packet(length, writer);
  }

  /** Begins a section; false if its byte order is unknown. */
  #section(): boolean {
    const magic = this.#block.view.getUint32(8);
    this.#littleEndian = magic !== BYTE_ORDER_MAGIC;
    this.#interfaces = [];
    if (this.#block.view.getUint32(8, this.#littleEndian) === BYTE_ORDER_MAGIC) return true;
    this.problem = "is damaged: a section has no byte order";
    return false;
  }

  #interface(kept: number): void {
    const linkType = this.#block.view.getUint16(8, this.#littleEndian);
    let ticksPerSecond = 1_000_000n;
    let offset = 0;
    let at = BLOCK_HEAD_BYTES + 8;
    // The last four bytes of the block repeat its length.
    while (at + 4 <= kept - 4) {
      const code = this.#block.view.getUint16(at, this.#littleEndian);
      const length = this.#block.view.getUint16(at + 2, this.#littleEndian);
      if (code === 0 || at + 4 + length > kept - 4) break;
      if (code === OPTION_RESOLUTION && length === 1) {
        const resolution = this.#block.view.getUint8(at + 4);
        ticksPerSecond = (resolution & 0x80 ? 2n : 10n) ** BigInt(resolution & 0x7f);
      } else if (code === OPTION_OFFSET && length === 8) {
        offset = Number(this.#block.view.getBigInt64(at + 4, this.#littleEndian)) * 1_000_000;
      }
      at += 4 + ((length + 3) & ~3);
    }
    this.#interfaces.push({ linkType, ticksPerSecond, offset });
    if (linkType === LINK_TYPE_SOCKETCAN) this.#anyCan = true;
    else this.#foreignLinkType ??= linkType;
  }

  #packet(length: number, writer: RecordWriter): void {
    const from = this.#interfaces[this.#block.view.getUint32(8, this.#littleEndian)];
    const captured = this.#block.view.getUint32(20, this.#littleEndian);
    if (!from || length < PACKET_HEAD_BYTES + 4 || captured > length - PACKET_HEAD_BYTES - 4) {
      this.malformed++;
      return;
    }
    if (from.linkType !== LINK_TYPE_SOCKETCAN) return;
    const high = this.#block.view.getUint32(12, this.#littleEndian);
    const low = this.#block.view.getUint32(16, this.#littleEndian);
    const wall = microseconds(high, low, from.ticksPerSecond) + from.offset;
    const bytes = Math.min(captured, LARGEST_FRAME_BYTES);
    if (wall < 0 || wall >= NO_DATE || !writeCapturedFrame(this.#block.view, PACKET_HEAD_BYTES, bytes, wall, writer))
      this.malformed++;
  }
}

function microseconds(high: number, low: number, ticksPerSecond: bigint): number {
  if (ticksPerSecond === 1_000_000n) return high * 2 ** 32 + low;
  return Number((((BigInt(high) << 32n) | BigInt(low)) * 1_000_000n) / ticksPerSecond);
}

export const pcapng: Format = {
  name: "pcapng",
  matches: ({ bytes }: Head) => {
    if (bytes.length < SECTION_HEAD_BYTES) return false;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    return view.getUint32(0) === SECTION && [view.getUint32(8), view.getUint32(8, true)].includes(BYTE_ORDER_MAGIC);
  },
  createReader: () => new PcapngReader(),
};
