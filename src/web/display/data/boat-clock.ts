/**
 * The clock of the boat and the delay of each message, from the times at which messages were made (boat's wall clock)
 * and arrived (this device's monotonic clock), both in milliseconds. Pure.
 *
 * No single message tells the offset of the clocks, because each was delayed; the fastest was delayed least. The offset
 * changes only as fast as clocks drift, so that a lasting queue does not become the new normal.
 */
import { BoundedMap } from "./bounded-map.ts";

/** Maximum drift of two clocks, milliseconds in a millisecond, while one of them is slewed. */
const DRIFT = 0.0005;
/** A larger step in the times of messages means that the boat's clock was set. */
const STEP_MS = 2000;
/** Maximum time from a report to the broker. */
const UPSTREAM_MS = 1000;
/** Moments that are remembered; those asked for last stay. */
const MAX_MOMENTS = 500;

export class BoatClock {
  #offset: number | undefined;
  #arrived = 0;
  #made = 0;
  #delay = 0;
  /** When this connection began, over which no message has waited longer. */
  #begunAt = Number.NEGATIVE_INFINITY;
  /** Time of a question whose answer arrived after the last report. */
  #askedAt: number | undefined;

  #isConfirmed = false;
  /** This device's wall clock minus its monotonic clock, which stands still while the device sleeps. */
  #own: number | undefined;
  /** By how much the boat's clock was set in all. */
  #setBy = 0;
  /** The same when a moment was asked for first. */
  readonly #setBefore = new BoundedMap<number, number>(MAX_MOMENTS);

  /** A new connection begins, monotonic milliseconds: the boat's clock may have been set while nothing was heard. */
  begin(now: number): void {
    this.#begunAt = now;
    this.#isConfirmed = false;
    this.#askedAt = undefined;
  }

  /** Whether a report of this connection was made after an answer of the broker, so that the offset is not too large. */
  get isConfirmed(): boolean {
    return this.#isConfirmed;
  }

  /** The boat's clock minus this device's; undefined before the first report. */
  get offset(): number | undefined {
    return this.#offset;
  }

  /**
   * Takes a report that was not retained; reports of one boat arrive in the order in which they were made. Returns its
   * delay. `own` is this device's wall clock.
   */
  hear(made: number, arrived: number, own: number): number {
    const seen = made - arrived;
    const last = this.#offset;
    this.#offset = this.#bounded(last === undefined ? seen : this.#next(last, made, arrived), made);
    const slept = Math.max(0, own - arrived - (this.#own ?? own - arrived));
    const step = this.#offset - (last ?? this.#offset) - slept;
    if (Math.abs(step) > STEP_MS) this.#setBy += step;
    this.#own = own - arrived;
    this.#arrived = arrived;
    this.#made = made;
    this.#delay = Math.max(0, this.#offset - seen);
    return this.#delay;
  }

  #next(last: number, made: number, arrived: number): number {
    const seen = made - arrived;
    const offset = last - DRIFT * Math.max(0, arrived - this.#arrived);
    // If the clock is set while messages wait, they go on waiting.
    const isSet = made < this.#made - STEP_MS || seen > offset + STEP_MS;
    return isSet ? seen + Math.min(this.#delay, arrived - this.#begunAt) : Math.max(offset, seen);
  }

  /**
   * The broker has answered the question of `askedAt`, after all waiting messages: the next report was made later. This
   * corrects an offset that is too large, for example because the clock was set back during a silence.
   */
  noteAnswer(askedAt: number): void {
    this.#askedAt = askedAt;
  }

  #bounded(offset: number, made: number): number {
    if (this.#askedAt === undefined) return offset;
    const largest = made - this.#askedAt + UPSTREAM_MS;
    this.#askedAt = undefined;
    this.#isConfirmed = true;
    return Math.min(offset, largest);
  }

  /**
   * A moment by the boat's clock as it is set now, so that a duration since then does not follow a clock that is set
   * after the page has seen the moment.
   */
  asSetNow(moment: number): number {
    const before = this.#setBefore.get(moment) ?? this.#setBy;
    if (this.#isConfirmed || this.#setBefore.has(moment)) this.#setBefore.set(moment, before);
    return moment + this.#setBy - before;
  }

  /**
   * Delay of a message that was not retained. It has not overtaken a report, so that it waited no longer than one; a
   * larger difference comes from its sender's clock.
   */
  delayOf(made: number, arrived: number): number {
    if (this.#offset === undefined) return 0;
    const sinceReport = this.#delay + Math.max(0, arrived - this.#arrived);
    const longest = Math.min(sinceReport, arrived - this.#begunAt) + UPSTREAM_MS;
    return Math.min(longest, Math.max(0, this.#offset - (made - arrived)));
  }
}
