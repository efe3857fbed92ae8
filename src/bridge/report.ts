/** What the bridge says of its own accord as time passes, besides what each packet says. */

export interface Report {
  /** Monotonic time at which `advance` has something to do, milliseconds; may come closer with every packet. */
  readonly due: number;
  /** Publishes what is due at `now` (monotonic) with the stamp `wall`, milliseconds both. */
  advance(now: number, wall: number): void;
}
