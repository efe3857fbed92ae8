/** The machine's time. */
import type { Clock } from "../../core/ports/clock.ts";

/**
 * `performance.now()` counts from the start of the process; the stamps of the addon count as `process.hrtime()` does.
 */
const ORIGIN = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** Its timers keep the process running until they are cancelled. */
export const systemClock: Clock = {
  wall: () => Date.now(),
  monotonic: () => ORIGIN + performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
  every(milliseconds, callback) {
    const timer = setInterval(callback, milliseconds);
    return () => clearInterval(timer);
  },
};
