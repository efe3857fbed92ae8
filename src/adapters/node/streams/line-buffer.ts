/**
 * Lines in memory, in blocks, the oldest first: lines that the engine has taken and may still lose, because it writes
 * them to disk later, then lines that wait for it. Pure.
 */

/** Maximum characters of a block, which is sent as one body. */
const MAX_BLOCK = 1 << 20;

export interface Block {
  readonly text: string;
}

class LineBlock implements Block {
  readonly lines: string[] = [];
  length = 0;
  /** A block that is being sent does not grow. */
  isSealed = false;
  /** Monotonic time at which the engine took the block, milliseconds; undefined: it waits. */
  takenAt: number | undefined;

  get text(): string {
    return this.lines.join("");
  }
}

const lengthOf = (blocks: readonly LineBlock[]): number => blocks.reduce((sum, { length }) => sum + length, 0);

export class LineBuffer {
  readonly #maxLength: number;
  #blocks: readonly LineBlock[] = [];
  /** Waiting lines that were dropped to make room for later ones. */
  dropped = 0;

  /** `maxLength` counts characters. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Characters of all lines. */
  get length(): number {
    return lengthOf(this.#blocks);
  }

  /** Characters of the waiting lines. */
  get waitingLength(): number {
    return lengthOf(this.#blocks.filter(({ takenAt }) => takenAt === undefined));
  }

  /** Adds a line, which ends with a line feed. If there is no room, the oldest lines are dropped, even if they wait. */
  add(line: string): void {
    let block = this.#blocks.at(-1);
    if (block === undefined || block.isSealed || block.length + line.length > MAX_BLOCK) {
      block = new LineBlock();
      this.#blocks = [...this.#blocks, block];
    }
    block.lines.push(line);
    block.length += line.length;
    while (this.length > this.#maxLength) this.#makeRoom();
  }

  next(): Block | undefined {
    const block = this.#blocks.find(({ takenAt }) => takenAt === undefined);
    if (block !== undefined) block.isSealed = true;
    return block;
  }

  /** The engine has taken a block, at a monotonic time in milliseconds. */
  take(taken: Block, at: number): void {
    for (const block of this.#blocks) if (block === taken) block.takenAt = at;
  }

  /** The engine may have lost the lines that it has taken: all of them wait again. */
  takeBack(): void {
    for (const block of this.#blocks) block.takenAt = undefined;
  }

  /** Forgets the lines that the engine took before a time, and has therefore written. */
  settle(since: number): void {
    this.#blocks = this.#blocks.filter(({ takenAt }) => takenAt === undefined || takenAt > since);
  }

  /** The waiting blocks, to be stored elsewhere, without those that are added later. */
  waiting(): readonly Block[] {
    const blocks = this.#blocks.filter(({ takenAt }) => takenAt === undefined);
    for (const block of blocks) block.isSealed = true;
    return blocks;
  }

  remove(blocks: readonly Block[]): void {
    this.#blocks = this.#blocks.filter((block) => !blocks.includes(block));
  }

  /** Removes blocks that could not be stored; counts their lines. */
  drop(blocks: readonly Block[]): void {
    for (const block of this.#blocks) if (blocks.includes(block)) this.dropped += block.lines.length;
    this.remove(blocks);
  }

  #makeRoom(): void {
    const oldest = this.#blocks.slice(0, 1);
    if (oldest[0]?.takenAt === undefined) this.drop(oldest);
    else this.remove(oldest);
  }
}
