/** Splits the batches of a recording by the times at which their records are due. */
import { FRAME_BYTES } from "./frame-batch.ts";
import type { RecordingBatch } from "./record-writer.ts";

/** Iterates over the records of one batch by due time. */
export class Pace {
  readonly #batch: RecordingBatch;
  readonly #bytes: Uint8Array;
  readonly #doubles: Float64Array;
  readonly #speed: number;
  #at = 0;

  /** `speed` is the factor of the recorded speed, above 0. */
  constructor(batch: RecordingBatch, speed: number) {
    this.#batch = batch;
    this.#bytes = (batch.frames ?? batch.packets)!.bytes;
    this.#doubles = new Float64Array(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length >> 3);
    this.#speed = speed;
  }

  /** Due time of the next record, milliseconds after the first record of the recording; undefined if none is left. */
  due(): number | undefined {
    if (this.#at >= this.#bytes.length) return undefined;
    return this.#doubles[(this.#at >> 3) + 1]! / 1000 / this.#speed;
  }

  /**
   * The records due up to `elapsed` milliseconds after the first record of the recording, their time stamps replaced by
   * the current time (`wall` and `monotonic`, milliseconds) if it is given; undefined if there is none.
   */
  take(elapsed: number, wall?: number, monotonic?: number): RecordingBatch | undefined {
    const from = this.#at;
    for (let due = this.due(); due !== undefined && due <= elapsed; due = this.due()) {
      if (wall !== undefined) this.#doubles[this.#at >> 3] = wall * 1000;
      if (monotonic !== undefined) this.#doubles[(this.#at >> 3) + 1] = monotonic * 1000;
      this.#at += this.#size();
    }
    if (this.#at === from) return undefined;
    const bytes = this.#bytes.subarray(from, this.#at);
    const stretch = { bytes, length: bytes.length };
    return this.#batch.frames ? { frames: stretch } : { packets: stretch };
  }

  #size(): number {
    if (this.#batch.frames) return FRAME_BYTES;
    const length = new Uint16Array(this.#bytes.buffer, this.#bytes.byteOffset + this.#at + 20, 1)[0]!;
    return (32 + length + 7) & ~7;
  }
}
