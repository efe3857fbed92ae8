/** When the parts of the bridge are due. What gives a part news wakes the schedule. */
import type { GuardedPart } from "./guarded-part.ts";

export class Schedule {
  readonly #parts: readonly GuardedPart[];
  /** Monotonic time at which the next one is due, milliseconds. */
  due = Number.NEGATIVE_INFINITY;

  /** The parts publish in this order. */
  constructor(parts: readonly GuardedPart[]) {
    this.#parts = parts;
  }

  /** A part is due, or may be. */
  wake(): void {
    this.due = Number.NEGATIVE_INFINITY;
  }

  /** A part is due at that time. */
  wakeAt(due: number): void {
    if (due < this.due) this.due = due;
  }

  /** Publishes what is due at `now` (monotonic) with the timestamp `wall`, both in milliseconds. */
  advance(now: number, wall: number): void {
    for (const part of this.#parts) part.advance(now, wall);
    this.due = Number.POSITIVE_INFINITY;
    for (const { due } of this.#parts) this.wakeAt(due);
  }
}
