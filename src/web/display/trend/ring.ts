/** The last minutes of a value: a ring buffer with one number per time step, NaN for a gap. Pure. */

export class History {
  /** Seconds between two points. */
  readonly step: number;
  readonly #values: Float64Array;
  /** Number of the step last written. */
  #head = Number.NEGATIVE_INFINITY;

  constructor(seconds: number, step: number) {
    this.step = step;
    this.#values = new Float64Array(Math.ceil(seconds / step)).fill(Number.NaN);
  }

  /** Adds a value at a time in monotonic seconds. A later value of the same step replaces it. */
  add(value: number, seconds: number): void {
    const step = Math.floor(seconds / this.step);
    const size = this.#values.length;
    if (step < this.#head) return;
    for (let empty = Math.max(this.#head + 1, step - size); empty < step; empty++)
      this.#values[mod(empty, size)] = Number.NaN;
    this.#values[mod(step, size)] = value;
    this.#head = step;
  }

  /** The latest value; NaN if there is none. */
  get last(): number {
    return Number.isFinite(this.#head) ? this.#values[mod(this.#head, this.#values.length)]! : Number.NaN;
  }

  clear(): void {
    this.#values.fill(Number.NaN);
    this.#head = Number.NEGATIVE_INFINITY;
  }

  /** Points up to `seconds`, oldest first: times relative to `seconds` (negative), and values with null for a gap. */
  points(seconds: number): readonly [readonly number[], readonly (number | null)[]] {
    const size = this.#values.length;
    const end = Math.floor(seconds / this.step);
    const times: number[] = [];
    const values: (number | null)[] = [];
    for (let step = end - size + 1; step <= end; step++) {
      times.push((step - end) * this.step);
      const value = step > this.#head || step <= this.#head - size ? Number.NaN : this.#values[mod(step, size)]!;
      values.push(Number.isNaN(value) ? null : value);
    }
    return [times, values];
  }
}

const mod = (value: number, size: number): number => ((value % size) + size) % size;
