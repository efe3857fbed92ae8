/**
 * Collects the records that the readers of recordings write: frames as records of `frame-batch.ts`, complete messages
 * as records of `ports/packet-batch.ts`, in the order of the recording, in blocks that are reused.
 */
import { NULL_ADDRESS } from "../../core/can/can-id.ts";
import type { PacketBatch } from "../../core/ports/packet-source.ts";
import { FRAME_BYTES, type FrameBatch } from "./frame-batch.ts";
import { ReplayClock } from "./replay-clock.ts";

/** The next records of a recording: either frames or complete messages. Valid until the next batch is requested. */
export interface RecordingBatch {
  readonly frames?: FrameBatch;
  readonly packets?: PacketBatch;
}

/** Bytes of the longest payload that ISO 11783-3 transport can carry: 255 packets of 7. */
export const LONGEST_PAYLOAD = 1785;

/** PGNs have 18 bits; gateways use greater numbers for messages about themselves. */
export const FIRST_INTERNAL_PGN = 0x40000;

const BLOCK_BYTES = 2048 * FRAME_BYTES;
/** Bytes of a record of a message before its payload. */
export const PACKET_HEAD_BYTES = 32;
const LONGEST_FAST_PACKET = 223;
const ADDRESS_CLAIM = 60928;

/** A block of memory with views for the members of records. */
class Block {
  readonly bytes = new Uint8Array(BLOCK_BYTES);
  readonly halfWords = new Uint16Array(this.bytes.buffer);
  readonly words = new Uint32Array(this.bytes.buffer);
  readonly doubles = new Float64Array(this.bytes.buffer);
}

export class RecordWriter {
  /** Messages left out because a gateway sent them about itself. */
  internal = 0;
  /** Complete messages left out because their source (254, 255) is not a device; address claims are kept. */
  unaddressed = 0;

  /** The data of the next frame, filled by readers. */
  readonly data = new Uint8Array(8);
  readonly #dataWords = new Uint32Array(this.data.buffer);

  readonly #clock = new ReplayClock();
  #block = new Block();
  /** The open batch is from `#start` to `#at` of the block. */
  #start = 0;
  #at = 0;
  #holdsPackets = false;
  #batches: RecordingBatch[] = [];
  #full: Block[] = [];
  #free: Block[] = [];

  /**
   * Writes a frame with the first `length` bytes of `data`: `wall` in microseconds since 1970, `identifier` with its
   * flags.
   */
  frame(wall: number, identifier: number, length: number): void {
    if (this.#holdsPackets || this.#at + FRAME_BYTES > BLOCK_BYTES) this.#openBatch(false, FRAME_BYTES);
    const { bytes, words, doubles } = this.#block;
    const to = this.#at;
    const word = to >> 2;
    doubles[to >> 3] = wall;
    doubles[(to >> 3) + 1] = this.#clock.advance(wall);
    words[word + 4] = identifier;
    words[word + 5] = 0;
    words[word + 6] = this.#dataWords[0]!;
    words[word + 7] = this.#dataWords[1]!;
    bytes[to + 20] = length;
    for (let index = length; index < 8; index++) bytes[to + 24 + index] = 0;
    this.#at = to + FRAME_BYTES;
  }

  /** Lets `read` write frames to free memory, without their monotonic times, and return their number; returns that. */
  frames(read: (records: Uint8Array) => number): number {
    if (this.#holdsPackets || this.#at + FRAME_BYTES > BLOCK_BYTES) this.#openBatch(false, FRAME_BYTES);
    const { bytes, doubles } = this.#block;
    const count = read(bytes.subarray(this.#at));
    for (const end = this.#at + count * FRAME_BYTES; this.#at < end; this.#at += FRAME_BYTES) {
      const wall = this.#at >> 3;
      doubles[wall + 1] = this.#clock.advance(doubles[wall]!);
    }
    return count;
  }

  /** Writes a frame with the first `length` bytes of `payload`. */
  frameOf(wall: number, identifier: number, payload: Uint8Array, length: number): void {
    for (let index = 0; index < length; index++) this.data[index] = payload[index]!;
    this.frame(wall, identifier, length);
  }

  /**
   * Writes a complete message, unless it is left out (`internal`, `unaddressed`): `wall` in microseconds since 1970,
   * the first `length` bytes of `payload`. False for an empty payload, which no message on a bus has.
   */
  packet(
    wall: number,
    priority: number,
    pgn: number,
    source: number,
    destination: number,
    payload: Uint8Array,
    length: number,
  ): boolean {
    if (pgn >= FIRST_INTERNAL_PGN) {
      this.internal++;
      return true;
    }
    if (length === 0) return false;
    if (source >= NULL_ADDRESS && pgn !== ADDRESS_CLAIM) {
      this.unaddressed++;
      return true;
    }
    const size = (PACKET_HEAD_BYTES + length + 7) & ~7;
    if (!this.#holdsPackets || this.#at + size > BLOCK_BYTES) this.#openBatch(true, size);
    const { bytes, halfWords, words, doubles } = this.#block;
    const to = this.#at;
    bytes.fill(0, to, to + size);
    doubles[to >> 3] = wall;
    doubles[(to >> 3) + 1] = this.#clock.advance(wall);
    words[(to >> 2) + 4] = pgn;
    halfWords[(to >> 1) + 10] = length;
    bytes[to + 22] = source;
    bytes[to + 23] = destination;
    bytes[to + 24] = priority;
    bytes[to + 25] = length <= 8 ? 0 : length <= LONGEST_FAST_PACKET ? 1 : 2;
    for (let index = 0; index < length; index++) bytes[to + PACKET_HEAD_BYTES + index] = payload[index]!;
    this.#at = to + size;
    return true;
  }

  /** Yields the records written since the last call, in order. Each batch is valid until the next one is requested. */
  *drain(): Generator<RecordingBatch> {
    this.#close();
    yield* this.#batches;
    this.#batches = [];
    for (const buffer of this.#full) this.#free.push(buffer);
    this.#full = [];
    this.#start = 0;
    this.#at = 0;
  }

  /** Opens a batch of the other kind, or in the next block if this one has no room for `size` bytes. */
  #openBatch(holdsPackets: boolean, size: number): void {
    this.#close();
    this.#holdsPackets = holdsPackets;
    if (this.#at + size <= BLOCK_BYTES) return;
    this.#full.push(this.#block);
    this.#block = this.#free.pop() ?? new Block();
    this.#start = 0;
    this.#at = 0;
  }

  #close(): void {
    if (this.#at === this.#start) return;
    const bytes = this.#block.bytes.subarray(this.#start, this.#at);
    const batch = { bytes, length: bytes.length };
    this.#batches.push(this.#holdsPackets ? { packets: batch } : { frames: batch });
    this.#start = this.#at;
  }
}
