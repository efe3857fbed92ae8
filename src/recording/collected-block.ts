/** A piece of a capture (head or record) that is being collected from chunks cut anywhere. */

export class CollectedBlock {
  /** The first bytes of the piece, at most so many as were asked for; the rest is passed over. */
  readonly kept: Uint8Array;
  readonly view: DataView;
  /** How many of them are there. */
  have = 0;
  /** Bytes behind what is kept, still to come. */
  rest = 0;

  constructor(bytes: number) {
    this.kept = new Uint8Array(bytes);
    this.view = new DataView(this.kept.buffer);
  }

  /** Takes from `chunk`, from `at` on, what is missing to `need` bytes; returns where it stopped. */
  take(chunk: Uint8Array, at: number, need: number): number {
    const skipped = Math.min(this.rest, chunk.length - at);
    this.rest -= skipped;
    const from = at + skipped;
    const taken = Math.min(need - this.have, chunk.length - from);
    for (let index = 0; index < taken; index++) this.kept[this.have + index] = chunk[from + index]!;
    this.have += taken;
    return from + taken;
  }

  /** Whether `need` bytes are there and nothing has to be passed over first. */
  isWhole(need: number): boolean {
    return this.have >= need && this.rest === 0;
  }

  /** Whether something has begun and not ended. */
  get isOpen(): boolean {
    return this.have > 0 || this.rest > 0;
  }
}
