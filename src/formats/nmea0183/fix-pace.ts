/**
 * The pace of sentences about the position: once a second, with the position nearest to a second after the last one.
 */
const SECOND_MS = 1000;

/** Reports of one position may differ by this time in its arrival, because their delays in the broker differ. */
const SAME_MS = 50;

export class FixPace {
  #sentMs = Number.NEGATIVE_INFINITY;
  #cameMs = Number.NEGATIVE_INFINITY;
  /** Time from one position to the next. */
  #periodMs = SECOND_MS;

  /** Whether the sentences of the position that arrived at `cameMs` are due; they then count as sent. */
  isDue(cameMs: number): boolean {
    const sinceLast = cameMs - this.#cameMs;
    if (sinceLast > SAME_MS) {
      this.#cameMs = cameMs;
      this.#periodMs = Math.min(sinceLast, SECOND_MS);
    }
    if (cameMs - this.#sentMs < SECOND_MS - this.#periodMs / 2) return false;
    this.#sentMs = cameMs;
    return true;
  }
}
