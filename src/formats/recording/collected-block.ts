/** A block of a capture (head or record), collected from chunks that may end anywhere. */

export class CollectedBlock {
  /** The first bytes of the block, up to the size given to the constructor; the rest is skipped. */
  readonly kept: Uint8Array;
  readonly view: DataView;
  /** Bytes collected. */
  have = 0;
  /** Bytes still to be skipped. */
  rest = 0;

  constructor(bytes: number) {
    this.kept = new Uint8Array(bytes);
    this.view = new DataView(this.kept.buffer);
  }

  /** Copies bytes of `chunk`, from `at` on, until `need` are collected; returns the index after them. */
  take(chunk: Uint8Array, at: number, need: number): number {
    const skipped = Math.min(this.rest, chunk.length - at);
    this.rest -= skipped;
    const from = at + skipped;
    const taken = Math.min(need - this.have, chunk.length - from);
    for (let index = 0; index < taken; index++) this.kept[this.have + index] = chunk[from + index]!;
    this.have += taken;
    return from + taken;
  }

  /** Whether `need` bytes are collected and nothing is left to be skipped. */
  isWhole(need: number): boolean {
    return this.have >= need && this.rest === 0;
  }

  /** Whether a block has begun and not ended. */
  get isOpen(): boolean {
    return this.have > 0 || this.rest > 0;
  }
}
