/** What the bridge says of its own accord as time passes, besides what each packet says. */
import type { Packet } from "./packet-batch.ts";

export interface Report {
  /** Monotonic time at which `advance` has something to do, milliseconds; may come closer with every packet. */
  readonly due: number;
  /** Publishes what is due at `now` (monotonic) with the stamp `wall`, milliseconds both. */
  advance(now: number, wall: number): void;
}

/** Hears a packet for a report, and gives when that is due now. */
export type Listener = (packet: Packet) => number;
