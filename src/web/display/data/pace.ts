/**
 * Whether messages arrive in time, and whether the page subscribes to less until they do. Pure. Times and delays are
 * monotonic milliseconds.
 */

/** Reports are late above the first delay, and in time again below the second. */
const LATE_MS = 2000;
const IN_TIME_MS = 1000;
/**
 * All reports of this time have to be late, because a burst after a pause ends in time; of sampled reports one is
 * enough.
 */
const HOLD_MS = 500;
/**
 * Time without late reports after which the page subscribes to everything again; doubled each time that was too early.
 */
const [SHORTEST_CALM_MS, LONGEST_CALM_MS] = [20_000, 600_000];

export class Pace {
  /** Delay of the last report. */
  #delay = 0;
  /** Time since which every report has been late. */
  #lateSince: number | undefined;
  #isLate = false;
  #isSlow = false;
  /** Time of the last change between everything and less. */
  #changedAt = Number.NEGATIVE_INFINITY;
  #delayedAt = Number.NEGATIVE_INFINITY;
  #calm = SHORTEST_CALM_MS;

  /** A report has arrived. */
  hear(delay: number, now: number): void {
    this.#delay = delay;
    if (delay > IN_TIME_MS) this.#delayedAt = now;
    // The first time with all subscriptions is a trial, in which a delay counts before the crew notices it.
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

  /** Whether reports are late at a time, also if none has come since the first ones that are. */
  isLateAt(now: number): boolean {
    return this.#isLate || (this.#delay > LATE_MS && now - (this.#lateSince ?? now) >= HOLD_MS);
  }

  /** Whether the page subscribes to less. */
  get isSlow(): boolean {
    return this.#isSlow;
  }
}
