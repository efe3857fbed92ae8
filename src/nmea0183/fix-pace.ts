/** Once a second, with the position that came nearest to a second after that of the last time. */
const SECOND_MS = 1000;

/** Reports that tell of one position may differ by so much in when it came: their ways through the broker do. */
const SAME_MS = 50;

export class FixPace {
  #sentMs = Number.NEGATIVE_INFINITY;
  #cameMs = Number.NEGATIVE_INFINITY;
  /** From one position to the next. */
  #periodMs = SECOND_MS;

  /** Whether the sentences of the position that came at `cameMs` are due; they then count as sent. */
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
