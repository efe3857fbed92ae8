/** The last minutes of a value: a ring buffer with the extremes and the last value of each time step. Pure. */
import { singleValue, type TrendPoint } from "./trend-points.ts";

/** The numbers of a step: least, last, greatest; NaN for a gap. */
const [LOW, VALUE, HIGH, NUMBERS] = [0, 1, 2, 3];

export class History {
  /** Seconds between two points. */
  readonly step: number;
  readonly #size: number;
  readonly #numbers: Float64Array;
  /** Number of the step last written. */
  #head = Number.NEGATIVE_INFINITY;

  constructor(seconds: number, step: number) {
    this.step = step;
    this.#size = Math.ceil(seconds / step);
    this.#numbers = new Float64Array(NUMBERS * this.#size).fill(Number.NaN);
  }

  /** Adds a value at a time in monotonic seconds; `low` and `high` for one that stands for a longer time. */
  add(value: number, seconds: number, low = value, high = value): void {
    const step = Math.floor(seconds / this.step);
    if (step < this.#head) return;
    for (let empty = Math.max(this.#head + 1, step - this.#size + 1); empty <= step; empty++) {
      const at = this.#placeOf(empty);
      this.#numbers.fill(Number.NaN, at, at + NUMBERS);
    }
    const at = this.#placeOf(step);
    const isFirst = Number.isNaN(this.#numbers[at + VALUE]!);
    this.#numbers[at + LOW] = isFirst ? low : Math.min(this.#numbers[at + LOW]!, low);
    this.#numbers[at + VALUE] = value;
    this.#numbers[at + HIGH] = isFirst ? high : Math.max(this.#numbers[at + HIGH]!, high);
    this.#head = step;
  }

  /** The latest value; NaN if there is none. */
  get last(): number {
    return Number.isFinite(this.#head) ? this.#numbers[this.#placeOf(this.#head) + VALUE]! : Number.NaN;
  }

  /** A point for each step up to `seconds`, oldest first, with times relative to `seconds` and null for a gap. */
  points(seconds: number): readonly TrendPoint[] {
    const end = Math.floor(seconds / this.step);
    return Array.from({ length: this.#size }, (_, index): TrendPoint => {
      const step = end - this.#size + 1 + index;
      const at = (step - end) * this.step;
      const place = this.#placeOf(step);
      const value = this.#numbers[place + VALUE]!;
      const isThere = step <= this.#head && step > this.#head - this.#size && !Number.isNaN(value);
      return isThere
        ? { at, low: this.#numbers[place + LOW]!, value, high: this.#numbers[place + HIGH]! }
        : singleValue(at, null);
    });
  }

  #placeOf(step: number): number {
    return NUMBERS * (((step % this.#size) + this.#size) % this.#size);
  }
}
