/** Counts how often something has happened lately, in constant memory. Times are monotonic milliseconds. */

import type { Span } from "./span.ts";

/** The span is counted in this many steps, of which the oldest is let go as a whole. */
const STEPS = 60;

/** The number of occurrences, and the times of the first and the last; without one both are the time of the call. */
export interface Recent extends Span {
  readonly count: number;
}

interface Step {
  count: number;
  readonly from: number;
  to: number;
}

export class Occurrences {
  readonly #stepMs: number;
  readonly #steps: Step[] = [];

  /** `spanMs`: for how long an occurrence counts. */
  constructor(spanMs: number) {
    this.#stepMs = spanMs / STEPS;
  }

  note(now: number): void {
    const last = this.#steps.at(-1);
    if (last !== undefined && now - last.from < this.#stepMs) {
      last.count++;
      last.to = now;
      return;
    }
    this.#steps.push({ count: 1, from: now, to: now });
    if (this.#steps.length > STEPS) this.#steps.shift();
  }

  recent(now: number): Recent {
    while (this.#steps.length > 0 && now - this.#steps[0]!.from >= STEPS * this.#stepMs) this.#steps.shift();
    return {
      count: this.#steps.reduce((all, { count }) => all + count, 0),
      from: this.#steps[0]?.from ?? now,
      to: this.#steps.at(-1)?.to ?? now,
    };
  }
}
