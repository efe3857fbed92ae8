/** The monotonic clock of a replay, made from the stamps of a recording. */

/** A longer step between two stamps is a gap in the recording, or the recording clock was set; it counts as no time. */
const MAX_STEP_US = 60_000_000;

/** After this time of steadily increasing stamps behind the latest one, the recording clock was set back. */
const SET_BACK_AFTER_US = 1_000_000;

/**
 * Follows the time stamps of a recording and never goes back. A step of more than 60 s in either direction counts as no
 * time, so that a recording that jumps by years neither causes timeouts nor reports for years.
 *
 * A smaller step back has two causes. Gateways write some messages with the time they were first received, up to a
 * minute before their neighbours; the clock stands still until the stamps return. Or the recording clock was set back,
 * or the file is two recordings; then the stamps increase steadily, and after a second of that the clock follows them.
 */
export class ReplayClock {
  #monotonic = 0;
  /** The stamp that the clock followed last; at first an infinite step away. */
  #latest = Number.NEGATIVE_INFINITY;
  /** Start and end of the steadily increasing stamps behind the latest. */
  #runFrom = 0;
  #runTo = Number.NEGATIVE_INFINITY;

  /** Takes the next stamp, microseconds since 1970; returns the monotonic time, microseconds since the first stamp. */
  advance(wall: number): number {
    const step = wall - this.#latest;
    if (step >= 0 && step <= MAX_STEP_US) {
      this.#monotonic += step;
      this.#latest = wall;
      this.#runTo = Number.NEGATIVE_INFINITY;
    } else if (step > MAX_STEP_US || step < -MAX_STEP_US || this.#isSetBack(wall)) {
      this.#latest = wall;
    }
    return this.#monotonic;
  }

  #isSetBack(wall: number): boolean {
    const step = wall - this.#runTo;
    if (step < 0 || step > SET_BACK_AFTER_US) this.#runFrom = wall;
    this.#runTo = wall;
    return wall - this.#runFrom >= SET_BACK_AFTER_US;
  }
}
