/**
 * Compares the computer's clock with the time on the bus, which is that of GNSS: a boat's computer may have no battery
 * for its clock and no Internet to set it. It is off when the two have differed for a minute, and right again as soon
 * as they agree.
 */
import type { Log } from "../../../core/ports/log.ts";
import type { BridgeCounters } from "../counters.ts";

/** GNSS receivers deliver their time up to a second late. */
const TOLERANCE_MS = 2000;
const PATIENCE_MS = 60_000;

export class ClockWatch {
  readonly #log: Log;
  /** Monotonic time since which the clocks differ. */
  #since: number | undefined;
  #isOff = false;
  #aheadMs: number | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Seconds by which the computer's clock is ahead, negative: behind; undefined while it is right or not known. */
  get aheadSec(): number | undefined {
    return this.#isOff && this.#aheadMs !== undefined ? this.#aheadMs / 1000 : undefined;
  }

  counters(): Partial<BridgeCounters> {
    return this.aheadSec === undefined ? {} : { clockAheadSec: this.aheadSec };
  }

  /**
   * Takes the computer's clock and the time on the bus, undefined while there is none, at a monotonic time; all in
   * milliseconds. True when the clock has become off or right.
   */
  compare(now: number, wall: number, bus: number | undefined): boolean {
    this.#aheadMs = bus === undefined ? undefined : wall - bus;
    if (this.#aheadMs === undefined) {
      this.#since = undefined;
      return false;
    }
    const differs = Math.abs(this.#aheadMs) > TOLERANCE_MS;
    this.#since = differs ? (this.#since ?? now) : undefined;
    const wasOff = this.#isOff;
    this.#isOff = this.#since !== undefined && (wasOff || now - this.#since >= PATIENCE_MS);
    if (this.#isOff === wasOff) return false;
    if (wasOff) this.#log.info("the computer's clock agrees with the time on the bus again");
    else {
      const aheadSec = Math.round(this.#aheadMs / 100) / 10;
      this.#log.warn("the computer's clock differs from the time on the bus", { code: "CLOCK_OFF", aheadSec });
    }
    return true;
  }
}
