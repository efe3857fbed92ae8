/** Time as an argument: the core never asks what time it is, and a test's clock goes where it is told. */

export interface Clock {
  /** Wall clock, milliseconds since 1970-01-01 UTC. May step back; only for stamps that people read. */
  wall(): number;
  /** Monotonic clock, milliseconds since an arbitrary start. For ages, timeouts and rates. */
  monotonic(): number;
  /** Calls back once after `milliseconds` of monotonic time; the returned function calls that off. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Calls back every `milliseconds` of monotonic time; the returned function calls that off. */
  every(milliseconds: number, callback: () => void): () => void;
}
