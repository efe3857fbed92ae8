/**
 * Captures of a SocketCAN interface by tcpdump, dumpcap or Wireshark in the pcap format, of either byte order and of
 * microseconds or nanoseconds. Layout: draft-ietf-opsawg-pcap
 *
 *     file    magic u32, version u16 u16, 0 u32, 0 u32, snap length u32, link type u32 (227 in its low 16 bits)
 *     record  seconds u32, fraction u32, captured length u32, length on the wire u32, then the captured bytes
 */

import { CollectedBlock } from "../collected-block.ts";
import type { RecordWriter } from "../record-writer.ts";
import { LARGEST_FRAME_BYTES, LINK_TYPE_SOCKETCAN, writeCapturedFrame } from "./captured-frame.ts";
import type { Format, Head, Reader } from "./format.ts";

const FILE_HEAD_BYTES = 24;
const RECORD_HEAD_BYTES = 16;
/** libpcap's limit of a captured length; a longer record is a sign of a damaged file. */
const LONGEST_CAPTURE = 262_144;
/** Bytes kept of a record: its head and a classic frame. */
const KEPT_BYTES = RECORD_HEAD_BYTES + LARGEST_FRAME_BYTES;

interface FileHead {
  readonly littleEndian: boolean;
  /** Units of the fraction of a second in a microsecond. */
  readonly perMicrosecond: number;
  readonly linkType: number;
}

function fileHead(bytes: Uint8Array): FileHead | undefined {
  if (bytes.length < FILE_HEAD_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const magics = {
    a1b2c3d4: [false, 1],
    d4c3b2a1: [true, 1],
    a1b23c4d: [false, 1000],
    "4d3cb2a1": [true, 1000],
  } as const;
  const magic = magics[view.getUint32(0).toString(16) as keyof typeof magics];
  if (!magic) return undefined;
  const [littleEndian, perMicrosecond] = magic;
  return { littleEndian, perMicrosecond, linkType: view.getUint32(20, littleEndian) & 0xffff };
}

class PcapReader implements Reader {
  malformed = 0;
  problem: string | undefined;
  /** The head of the file, then one record after the other. */
  readonly #block = new CollectedBlock(KEPT_BYTES);
  #head: FileHead | undefined;

  read(chunk: Uint8Array, end: boolean, writer: RecordWriter): void {
    let at = 0;
    while (this.problem === undefined) {
      const need = this.#need();
      at = this.#block.take(chunk, at, need);
      if (!this.#block.isWhole(need)) break;
      this.#collected(writer);
    }
    if (end && this.problem === undefined && this.#block.isOpen) this.problem = "ends within a record";
  }

  /** Bytes to collect: of the head of the file, the head of a record, or the part of the record that is kept. */
  #need(): number {
    if (!this.#head) return FILE_HEAD_BYTES;
    if (this.#block.have < RECORD_HEAD_BYTES) return RECORD_HEAD_BYTES;
    return Math.min(RECORD_HEAD_BYTES + this.#block.view.getUint32(8, this.#head.littleEndian), KEPT_BYTES);
  }

  #collected(writer: RecordWriter): void {
    if (!this.#head) {
      this.#head = fileHead(this.#block.kept);
      this.#block.have = 0;
      if (this.#head?.linkType !== LINK_TYPE_SOCKETCAN) {
        this.problem = `is a capture of link type ${this.#head?.linkType}, not of SocketCAN (${LINK_TYPE_SOCKETCAN})`;
      }
      return;
    }
    const captured = this.#block.view.getUint32(8, this.#head.littleEndian);
    if (captured > LONGEST_CAPTURE) {
      this.problem = `is damaged: a record claims ${captured} bytes`;
      return;
    }
    if (this.#block.have < Math.min(RECORD_HEAD_BYTES + captured, KEPT_BYTES)) return;
    this.#block.rest = RECORD_HEAD_BYTES + captured - this.#block.have;
    this.#block.have = 0;
    this.#record(this.#head, captured, writer);
  }

  #record({ littleEndian, perMicrosecond }: FileHead, captured: number, writer: RecordWriter): void {
    const fraction = Math.floor(this.#block.view.getUint32(4, littleEndian) / perMicrosecond);
    const wall = this.#block.view.getUint32(0, littleEndian) * 1_000_000 + fraction;
    if (!writeCapturedFrame(this.#block.view, RECORD_HEAD_BYTES, captured, wall, writer)) this.malformed++;
  }
}

export const pcap: Format = {
  name: "pcap",
  matches: ({ bytes }: Head) => fileHead(bytes) !== undefined,
  createReader: () => new PcapReader(),
};
