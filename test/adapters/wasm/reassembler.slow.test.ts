/** The reassembler as WebAssembly gives the packets and counters of the addon, bit by bit. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createReassembler } from "../../../src/adapters/node/can/can-bus.ts";
import { WasmReassembler } from "../../../src/adapters/wasm/reassembler.ts";
import { createCatalogue } from "../../../src/core/n2k/catalogue.ts";
import { fastPacketTable } from "../../../src/core/n2k/fast-packets.ts";
import { FRAME_BYTES } from "../../../src/formats/recording/frame-batch.ts";
import { compiledReassembler, withoutWasm } from "../../support/wasm.ts";

const table = fastPacketTable(createCatalogue().fastPackets());

/** Both, side by side. */
class Pair {
  readonly #addon;
  readonly #wasm: WasmReassembler;
  readonly #drained = new Uint8Array(1 << 18);

  constructor(ringBytes?: number) {
    this.#addon = createReassembler(table, ringBytes === undefined ? {} : { ringBytes });
    this.#wasm = new WasmReassembler(compiledReassembler(), table, ringBytes);
  }

  /** Pushes frames into both, in pieces if the ring is full; true if they gave the same. */
  push(frames: Uint8Array): boolean {
    const count = frames.length / FRAME_BYTES;
    for (let taken = 0; taken < count; ) {
      const rest = frames.subarray(taken * FRAME_BYTES);
      const now = this.#addon.push(rest, count - taken);
      if (this.#wasm.push(rest, count - taken) !== now || !this.#drains()) return false;
      taken += now;
    }
    return true;
  }

  expire(nowUs: number): boolean {
    this.#addon.expire(nowUs);
    this.#wasm.expire(nowUs);
    return this.#drains();
  }

  #drains(): boolean {
    for (;;) {
      const length = this.#addon.drain(this.#drained);
      const other = this.#wasm.drain();
      // Packets stay while they are read, although the counters are asked for.
      this.#wasm.counters();
      if (Buffer.compare(this.#drained.subarray(0, length), other) !== 0) return false;
      if (length === 0) return true;
    }
  }

  expectSameCounters(): void {
    expect(this.#wasm.counters()).toEqual(this.#addon.counters());
  }
}

const pgns = [129029, 126208, 127747, 127250, 60416, 60160, 60928, 129038];
const sources = [1, 2, 3, 4, 17, 253, 254, 255];
const pauses = [0, 1, 1000, 250_000, 750_000, 750_001, 1_250_001, 10_000_000];

/** Any bytes as frames: twelve bytes each, which choose PGN, source and pause, and are the data. */
function framesOf(bytes: Uint8Array, from = 0): { readonly frames: Uint8Array; readonly end: number } {
  const count = Math.ceil(bytes.length / 12);
  const frames = new Uint8Array(count * FRAME_BYTES);
  const view = new DataView(frames.buffer);
  let now = from;
  for (let frame = 0; frame < count; frame++) {
    const at = frame * FRAME_BYTES;
    const step = bytes.subarray(frame * 12, frame * 12 + 12);
    const pgn = pgns[(step[0] ?? 0) % pgns.length]!;
    now += pauses[(step[2] ?? 0) % pauses.length]!;
    view.setFloat64(at, now, true);
    view.setFloat64(at + 8, now, true);
    const isAddressed = ((pgn >> 8) & 0xff) < 240;
    const flags = (step[3] ?? 0) % 32 === 31 ? 0x20000000 : 0x80000000;
    const id = flags + (pgn + (isAddressed ? 255 : 0)) * 256 + sources[(step[1] ?? 0) % sources.length]!;
    view.setUint32(at + 16, id, true);
    frames[at + 20] = Math.min(8, Math.max(0, step.length - 4));
    frames.set(step.subarray(4), at + 24);
  }
  return { frames, end: now };
}

/** Bytes of a generator of Lehmer's, the same each time. */
function anyBytes(count: number): Uint8Array {
  let state = 20_261_125;
  return Uint8Array.from({ length: count }, () => {
    state = (state * 48_271) % 0x7fffffff;
    return state >> 8;
  });
}

describe.skipIf(withoutWasm !== undefined)(`the reassembler as WebAssembly ${withoutWasm ?? ""}`, () => {
  test("needs nothing of its surroundings, and refuses an impossible PGN", () => {
    expect(() => new WasmReassembler(compiledReassembler(), Uint32Array.of(300_000, 0))).toThrow(RangeError);
  });

  test.each(["reassembly", "records"])("the seeds of the fuzzer of %s", (name) => {
    const folder = join("native/fuzz/seeds", name);
    const pair = new Pair();
    let now = 0;
    for (const file of readdirSync(folder)) {
      const { frames, end } = framesOf(readFileSync(join(folder, file)), now);
      expect(pair.push(frames), file).toBe(true);
      now = end + 20_000_000;
      expect(pair.expire(now), file).toBe(true);
    }
    pair.expectSameCounters();
  });

  test.each([undefined, 4096])("any frames, with a ring of %s bytes", (ringBytes) => {
    const pair = new Pair(ringBytes);
    expect(pair.push(framesOf(anyBytes(240_000)).frames)).toBe(true);
    pair.expectSameCounters();
  });
});
