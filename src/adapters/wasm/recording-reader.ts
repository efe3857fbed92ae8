/** Reads a recording without Node as hub-cand does: any of its formats, with or without gzip, through the reassembler. */
import { Gunzip } from "fflate";
import type { Catalogue } from "../../core/n2k/catalogue.ts";
import { fastPacketTable } from "../../core/n2k/fast-packets.ts";
import { forEachPacket, type Packet } from "../../core/ports/packet-batch.ts";
import type { BusCounters, RecordedTimes } from "../../core/ports/packet-source.ts";
import { detectFormat, HEAD_BYTES } from "../../formats/recording/detect-format.ts";
import type { Format, Reader } from "../../formats/recording/formats/format.ts";
import { FRAME_BYTES } from "../../formats/recording/frame-batch.ts";
import { RecordWriter } from "../../formats/recording/record-writer.ts";
import { type ReassemblerModule, WasmReassembler } from "./reassembler.ts";

/** The recording cannot be read; the message says why, as a sentence without its full stop. */
export class UnreadableRecording extends Error {
  override readonly name = "UnreadableRecording";
}

const NOTHING = new Uint8Array(0);
/** Bytes that are unpacked at once: a browser reads a file in larger chunks, which may become a thousand times as long. */
const PIECE_BYTES = 65_536;

/** Unpacks chunks if the first begins like gzip; a recording of hub-cand has many gzip members. */
class Unpacker {
  /** The rest of the data cannot be unpacked. */
  isDamaged = false;
  #gunzip: Gunzip | undefined;
  #isFirst = true;
  #unpacked: Uint8Array[] = [];

  unpack(chunk: Uint8Array, end: boolean): readonly Uint8Array[] {
    // A chunk may end between the two bytes; no recording without gzip begins with the first of them.
    if (this.#isFirst && chunk[0] === 0x1f && (chunk[1] ?? 0x8b) === 0x8b)
      this.#gunzip = new Gunzip((data) => this.#unpacked.push(data));
    this.#isFirst = false;
    if (this.#gunzip === undefined) return [chunk];
    this.#unpacked = [];
    try {
      this.#gunzip.push(chunk, end);
    } catch {
      this.isDamaged = true;
    }
    return this.#unpacked;
  }
}

export interface RecordingReading {
  /** When the file was last written, milliseconds since 1970. */
  readonly modified: number;
  readonly module: ReassemblerModule;
  readonly catalogue: Catalogue;
  readonly visit: (packet: Packet) => void;
}

/** A recording that arrives in chunks. */
export class RecordingReader {
  readonly #options: RecordingReading;
  readonly #reassembler: WasmReassembler;
  readonly #unpacker = new Unpacker();
  readonly #writer = new RecordWriter();
  #head = NOTHING;
  #format: Format | undefined;
  #reader: Reader | undefined;

  constructor(options: RecordingReading) {
    this.#options = options;
    this.#reassembler = new WasmReassembler(options.module, fastPacketTable(options.catalogue.fastPackets()));
  }

  get format(): string | undefined {
    return this.#format?.name;
  }

  /** Why a capture ends before its end. */
  get problem(): string | undefined {
    return this.#reader?.problem;
  }

  get times(): RecordedTimes {
    return this.#reader?.times ?? "dated";
  }

  counters(): BusCounters {
    return { ...this.#reassembler.counters(), malformed: this.#reader?.malformed ?? 0 };
  }

  /** Reads a chunk; `end`: it is the last one. Throws `UnreadableRecording`. */
  push(chunk: Uint8Array, end: boolean): void {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) this.#unpack(chunk.subarray(at, at + PIECE_BYTES), false);
    if (!end) return;
    this.#unpack(NOTHING, true);
    this.#read(NOTHING, true);
  }

  #unpack(piece: Uint8Array, end: boolean): void {
    for (const bytes of this.#unpacker.unpack(piece, end)) this.#read(bytes, false);
    if (!this.#unpacker.isDamaged) return;
    // A format may be told by less than a head, and the messages before the damage count.
    if (this.#head.length > 0 || this.#reader !== undefined) this.#read(NOTHING, true);
    throw new UnreadableRecording("Its gzip data cannot be unpacked further");
  }

  #read(bytes: Uint8Array, end: boolean): void {
    let next = bytes;
    if (this.#reader === undefined) {
      this.#head = joined(this.#head, bytes);
      const isWhole = end || this.#head.length >= HEAD_BYTES;
      this.#format = detectFormat(this.#head, isWhole);
      if (this.#format === undefined) {
        if (isWhole) throw new UnreadableRecording(this.#head.length === 0 ? "It is empty" : "Its format is not known");
        return;
      }
      this.#reader = this.#format.createReader({ modified: this.#options.modified });
      next = this.#head;
      this.#head = NOTHING;
    }
    if (this.#reader.problem !== undefined) return;
    this.#reader.read(next, end, this.#writer);
    for (const { frames, packets } of this.#writer.drain()) {
      if (frames !== undefined) this.#reassemble(frames.bytes.subarray(0, frames.length));
      if (packets !== undefined) forEachPacket(packets, this.#options.visit);
    }
  }

  #reassemble(frames: Uint8Array): void {
    const count = frames.length / FRAME_BYTES;
    for (let taken = 0; taken < count; ) {
      taken += this.#reassembler.push(frames.subarray(taken * FRAME_BYTES), count - taken);
      for (;;) {
        const bytes = this.#reassembler.drain();
        if (bytes.length === 0) break;
        forEachPacket({ bytes, length: bytes.length }, this.#options.visit);
      }
    }
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
