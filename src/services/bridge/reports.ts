/** The reports of the bridge. Each knows when it is due; a caller that gives it news wakes the list. */
import type { Report } from "./report.ts";

export class Reports {
  readonly #reports: readonly Report[];
  /** Monotonic time at which the next one is due, milliseconds. */
  due = Number.NEGATIVE_INFINITY;

  /** The reports publish in this order. */
  constructor(reports: readonly Report[]) {
    this.#reports = reports;
  }

  /** A report is due, or may be. */
  wake(): void {
    this.due = Number.NEGATIVE_INFINITY;
  }

  /** A report is due at that time. */
  wakeAt(due: number): void {
    if (due < this.due) this.due = due;
  }

  /** Publishes the reports that are due at `now` (monotonic) with the timestamp `wall`, both in milliseconds. */
  advance(now: number, wall: number): void {
    for (const report of this.#reports) report.advance(now, wall);
    this.due = Number.POSITIVE_INFINITY;
    for (const { due } of this.#reports) this.wakeAt(due);
  }
}
