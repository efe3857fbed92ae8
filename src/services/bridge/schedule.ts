/** The clock of the bridge, and when its parts are due. What gives a part news wakes the schedule. */
import type { GuardedPart } from "./guarded-part.ts";

/** A longer time between two packets is a silence, in which the reports go on. */
const SILENCE_MS = 1000;
/** Least time between two reports in a silence, and the share of the silence that it becomes: few reports in a month. */
const [SILENT_STEP_MS, SILENT_SHARE] = [100, 1 / 200];

export class Schedule {
  /** They publish in this order. */
  parts: readonly GuardedPart[] = [];
  /** Monotonic time of the current call, milliseconds. */
  now = Number.NEGATIVE_INFINITY;
  /** Monotonic time at which the next one is due, milliseconds. */
  due = Number.NEGATIVE_INFINITY;
  /** Wall clock less monotonic time at the last call of `advance`, milliseconds. */
  #wallAhead: number | undefined;

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
    this.#wallAhead = wall - now;
    if (now < this.due) return;
    this.now = now;
    for (const part of this.parts) part.advance(now, wall);
    this.due = Number.POSITIVE_INFINITY;
    for (const { due } of this.parts) this.wakeAt(due);
  }

  /**
   * Publishes what is due before a packet. A further network may have the clock of another computer: its packets, for
   * which `received` is undefined, take that of the last `advance`, if any.
   */
  advanceTo(arrived: number, received: number | undefined): void {
    if (arrived - this.now > SILENCE_MS) this.#advanceThrough(arrived);
    if (received !== undefined) this.advance(arrived, received);
    else if (this.#wallAhead !== undefined) this.advance(arrived, arrived + this.#wallAhead);
  }

  /** Publishes what becomes due in a silence, each at its time: a source at full speed has no clock that does. */
  #advanceThrough(until: number): void {
    const since = this.now;
    const wallAhead = this.#wallAhead;
    if (wallAhead === undefined || since === Number.NEGATIVE_INFINITY) return;
    for (;;) {
      const step = Math.max(SILENT_STEP_MS, (this.now - since) * SILENT_SHARE);
      const at = Math.max(this.due, this.now + step);
      if (!(at < until)) return;
      this.advance(at, at + wallAhead);
    }
  }
}
