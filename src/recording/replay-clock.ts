/** The monotonic clock of a replay, made from the stamps of a recording. */

/** A longer step between two stamps is a hole in the recording or a clock that was set, not time on the bus. Microseconds. */
export const LONGEST_STEP = 60_000_000;

/** Stamps that have gone on for so long behind the latest, in steps no longer than this, do not come late. Microseconds. */
const SETTLED = 1_000_000;

/**
 * Moves with the stamps of a recording and never back. A stamp more than 60 s before or behind the latest becomes the new base
 * and moves the clock by nothing, so that a recording that jumps by years neither times out nor reports for years.
 *
 * A smaller step back is one of two things. Lines out of order: gateways write some messages with the time they were first
 * heard, up to a minute before their neighbours, and the stamps soon return; here the clock stands. (Were each step back a new
 * base, each return would count as time: dirona-actisense-serial.raw has 62 seconds and would have 5331.) Or a clock that was
 * set back, or two recordings in one file; then the stamps go on evenly, and after a second of that they are the new base.
 */
export class ReplayClock {
  #monotonic = 0;
  /** The stamp that the clock has followed last; the first one is as far away as a stamp can be. */
  #latest = Number.NEGATIVE_INFINITY;
  /** Where the even run of stamps behind the latest began, and how far it has come. */
  #runFrom = 0;
  #runTo = Number.NEGATIVE_INFINITY;

  /** Takes the next stamp, microseconds since 1970, and gives the monotonic time, microseconds since the first stamp. */
  advance(wall: number): number {
    const step = wall - this.#latest;
    if (step >= 0 && step <= LONGEST_STEP) {
      this.#monotonic += step;
      this.#latest = wall;
      this.#runTo = Number.NEGATIVE_INFINITY;
    } else if (step > LONGEST_STEP || step < -LONGEST_STEP || this.#settles(wall)) {
      this.#latest = wall;
    }
    return this.#monotonic;
  }

  #settles(wall: number): boolean {
    const step = wall - this.#runTo;
    if (step < 0 || step > SETTLED) this.#runFrom = wall;
    this.#runTo = wall;
    return wall - this.#runFrom >= SETTLED;
  }
}
