/** The reports of the bridge, each of which knows when it is due; so does whoever has news for one. */
import type { Report } from "./report.ts";

export class Reports {
  readonly #reports: readonly Report[];
  /** Monotonic time at which the next one is due, milliseconds. */
  due = Number.NEGATIVE_INFINITY;

  /** They publish in this order. */
  constructor(reports: readonly Report[]) {
    this.#reports = reports;
  }

  /** One of them has become due, or may have. */
  wake(): void {
    this.due = Number.NEGATIVE_INFINITY;
  }

  /** One of them is due at that time. */
  wakeAt(due: number): void {
    if (due < this.due) this.due = due;
  }

  /** Publishes those that are due at `now` (monotonic) with the timestamp `wall`, both in milliseconds. */
  advance(now: number, wall: number): void {
    for (const report of this.#reports) report.advance(now, wall);
    this.due = Number.POSITIVE_INFINITY;
    for (const { due } of this.#reports) this.wakeAt(due);
  }
}
