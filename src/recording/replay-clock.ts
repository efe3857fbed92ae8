/** The monotonic clock of a replay, made from the stamps of a recording. */

/** A longer step between two stamps is a hole in the recording or a clock that was set, not time on the bus. Microseconds. */
export const LONGEST_STEP = 60_000_000;

/**
 * Moves with the stamps of a recording and never back. A stamp that steps back, or forward by more than 60 s, becomes the
 * new base and moves the clock by nothing, so that a recording that jumps by years neither times out nor reports for years.
 */
export class ReplayClock {
  #wall = 0;
  #monotonic = 0;
  #started = false;

  /** Takes the next stamp, microseconds since 1970, and gives the monotonic time, microseconds since the first stamp. */
  advance(wall: number): number {
    const step = wall - this.#wall;
    this.#wall = wall;
    if (step > 0 && step <= LONGEST_STEP && this.#started) this.#monotonic += step;
    this.#started = true;
    return this.#monotonic;
  }
}
