/**
 * The clock of the boat, and how long each message was under way, by the times that messages were made (boat's wall clock) and
 * arrived (this device's monotonic clock), both in milliseconds. Pure.
 *
 * The clocks differ by an offset that no message tells alone, because each was delayed: the fastest was delayed least. The offset is
 * forgotten as slowly as clocks drift, so that a queue that lasts does not become the new normal.
 */

/** Milliseconds by which two clocks drift apart in a millisecond, while one of them is slewed. */
const DRIFT = 0.0005;
/** Further than this the time of a message moves only when the boat's clock is set. */
const STEP_MS = 2000;
/** Between a report and the broker. */
const UPSTREAM_MS = 1000;

export class BoatClock {
  #offset: number | undefined;
  #arrived = 0;
  #made = 0;
  #delay = 0;
  /** When a question was sent whose answer came after the last report. */
  #askedAt: number | undefined;

  /** The boat's clock minus this device's; undefined before the first report. */
  get offset(): number | undefined {
    return this.#offset;
  }

  /** A report that was not retained; those of one boat come in the order in which they were made. Returns its delay. */
  hear(made: number, arrived: number): number {
    const seen = made - arrived;
    this.#offset = this.#bounded(this.#offset === undefined ? seen : this.#next(this.#offset, made, arrived), made);
    this.#arrived = arrived;
    this.#made = made;
    this.#delay = Math.max(0, this.#offset - seen);
    return this.#delay;
  }

  #next(last: number, made: number, arrived: number): number {
    const seen = made - arrived;
    const offset = last - DRIFT * Math.max(0, arrived - this.#arrived);
    // A clock that is set while messages wait leaves them waiting.
    const isSet = made < this.#made - STEP_MS || seen > offset + STEP_MS;
    return isSet ? seen + this.#delay : Math.max(offset, seen);
  }

  /**
   * The answer of the broker to what was asked at `askedAt` has come, behind all that waited: the next report was made after that.
   * It ends an offset that is too large, as after a clock was set back while nothing came.
   */
  answered(askedAt: number): void {
    this.#askedAt = askedAt;
  }

  #bounded(offset: number, made: number): number {
    if (this.#askedAt === undefined) return offset;
    const largest = made - this.#askedAt + UPSTREAM_MS;
    this.#askedAt = undefined;
    return Math.min(offset, largest);
  }

  /**
   * How long a message that was not retained was under way. It has overtaken no report, so that it waited no longer than one would
   * have; a larger difference is that of its sender's clock.
   */
  delayOf(made: number, arrived: number): number {
    if (this.#offset === undefined) return 0;
    const longest = this.#delay + Math.max(0, arrived - this.#arrived) + UPSTREAM_MS;
    return Math.min(longest, Math.max(0, this.#offset - (made - arrived)));
  }
}
