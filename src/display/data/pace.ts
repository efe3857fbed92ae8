/**
 * Whether messages come in time, and whether less is asked for until they do. Pure. Times and delays are monotonic milliseconds.
 */

/** Above the first reports are late, below the second in time again. */
const LATE_MS = 2000;
const IN_TIME_MS = 1000;
/** Reports are late when all of so long are, because a burst after a stall ends in time; of samples one is enough. */
const HOLD_MS = 500;
/** In time for so long, all is asked for again; doubled each time that was too early. */
const [SHORTEST_CALM_MS, LONGEST_CALM_MS] = [20_000, 600_000];

export class Pace {
  /** Of the last report. */
  #delay = 0;
  /** Since when each report was late. */
  #lateSince: number | undefined;
  #isLate = false;
  #isSlow = false;
  /** The last change between all and less. */
  #changedAt = Number.NEGATIVE_INFINITY;
  #delayedAt = Number.NEGATIVE_INFINITY;
  #calm = SHORTEST_CALM_MS;

  /** A report has arrived. */
  hear(delay: number, now: number): void {
    this.#delay = delay;
    if (delay > IN_TIME_MS) this.#delayedAt = now;
    // All is asked for on trial: that it is too much is noticed before the crew sees it.
    const isTrial = !this.#isSlow && now - this.#changedAt < this.#calm;
    if (delay <= (this.#isLate || isTrial ? IN_TIME_MS : LATE_MS)) {
      this.#lateSince = undefined;
      this.#isLate = false;
      if (this.#isSlow && now - this.#delayedAt > this.#calm) this.#change(false, now);
      return;
    }
    this.#lateSince ??= now;
    if (!isTrial && !this.#isSlow && now - this.#lateSince < HOLD_MS) return;
    this.#isLate = delay > LATE_MS || this.#isLate;
    if (this.#isSlow) return;
    this.#calm = isTrial ? Math.min(LONGEST_CALM_MS, 2 * this.#calm) : SHORTEST_CALM_MS;
    this.#change(true, now);
  }

  #change(isSlow: boolean, now: number): void {
    this.#isSlow = isSlow;
    this.#changedAt = now;
  }

  get delay(): number {
    return this.#delay;
  }

  get isLate(): boolean {
    return this.#isLate;
  }

  /** Less is asked for. */
  get isSlow(): boolean {
    return this.#isSlow;
  }
}
