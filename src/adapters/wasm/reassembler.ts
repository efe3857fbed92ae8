/**
 * The reassembler of the addon as WebAssembly, for a runtime without Node (`native/wasm/reassembler.cc`). It gives the
 * same packets and counters.
 */
import type { BusCounters } from "../../core/ports/packet-source.ts";
import { FRAME_BYTES } from "../../formats/recording/frame-batch.ts";

/** The functions of the module; numbers of bytes and places in its memory. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  frames_place(): number;
  packets_place(): number;
  text_place(): number;
  buffer_bytes(): number;
  create(ringBytes: number): void;
  clear_table(): void;
  add_fast_packet(pgn: number, length: number): number;
  use_table(): void;
  push(count: number): number;
  drain(): number;
  expire(nowUs: number): void;
  counters(): number;
}

/** An instance of the module; each holds one reassembler. */
export interface ReassemblerModule {
  readonly exports: object;
}

/** Finished packets wait here until they are drained, after each push. */
const RING_BYTES = 1 << 18;

/** See `adapters/node/can/can-bus.ts`. */
export class WasmReassembler {
  readonly #module: Exports;

  constructor({ exports }: ReassemblerModule, fastPacketTable: Uint32Array, ringBytes = RING_BYTES) {
    this.#module = exports as Exports;
    this.#module.create(ringBytes);
    this.setFastPacketTable(fastPacketTable);
  }

  /** Pairs of PGN and length; throws a RangeError for an impossible one. */
  setFastPacketTable(fastPacketTable: Uint32Array): void {
    this.#module.clear_table();
    for (let at = 0; at < fastPacketTable.length; at += 2)
      if (this.#module.add_fast_packet(fastPacketTable[at]!, fastPacketTable[at + 1]!) === 0)
        throw new RangeError(`impossible PGN or length: ${fastPacketTable[at]}, ${fastPacketTable[at + 1]}`);
    this.#module.use_table();
  }

  /** Takes up to `count` frame records and returns how many it took: fewer if it has no room for another packet. */
  push(frames: Uint8Array, count: number): number {
    const most = this.#module.buffer_bytes() / FRAME_BYTES;
    for (let taken = 0; taken < count; ) {
      const next = Math.min(most, count - taken);
      this.#bytes(this.#module.frames_place()).set(frames.subarray(taken * FRAME_BYTES, (taken + next) * FRAME_BYTES));
      const pushed = this.#module.push(next);
      taken += pushed;
      if (pushed < next) return taken;
    }
    return count;
  }

  /** Packet records, valid until the next call; their length is 0 when none is left. */
  drain(): Uint8Array {
    const length = this.#module.drain();
    return this.#bytes(this.#module.packets_place()).subarray(0, length);
  }

  expire(nowMonotonicUs: number): void {
    this.#module.expire(nowMonotonicUs);
  }

  counters(): Omit<BusCounters, "malformed"> {
    const length = this.#module.counters();
    const text = new Uint8Array(this.#module.memory.buffer, this.#module.text_place(), length);
    return JSON.parse(new TextDecoder().decode(text)) as Omit<BusCounters, "malformed">;
  }

  /** The memory moves when it grows, so that views of it are made anew. */
  #bytes(place: number): Uint8Array {
    return new Uint8Array(this.#module.memory.buffer, place, this.#module.buffer_bytes());
  }
}
