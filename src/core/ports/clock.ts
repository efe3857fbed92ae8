/** Time as an argument: the core never reads a clock, and tests set their own. */

export interface Clock {
  /** Wall clock, milliseconds since 1970-01-01 UTC. May step back; only for stamps that people read. */
  wall(): number;
  /** Monotonic clock, milliseconds since an arbitrary start. For ages, timeouts and rates. */
  monotonic(): number;
  /** Calls back once after `milliseconds` of monotonic time; the returned function cancels that. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Calls back every `milliseconds` of monotonic time; the returned function cancels that. */
  every(milliseconds: number, callback: () => void): () => void;
}
