/** What the bridge says of its own accord as time passes, besides what each packet says. */
import type { Read } from "../n2k/decode.ts";
import type { Packet } from "./packet-batch.ts";

export interface Report {
  /** Monotonic time at which `advance` has something to do, milliseconds; may come closer with every packet. */
  readonly due: number;
  /** Publishes what is due at `now` (monotonic) with the stamp `wall`, milliseconds both. */
  advance(now: number, wall: number): void;
}

/** Hears a packet for a report, and gives when that is due now. */
export type Listener = (packet: Packet) => number;

/** Listeners by PGN for one that hears decoded messages; `readers` decode them. */
export function listenersOf<Message>(
  readers: Iterable<readonly [pgn: number, read: Read<Message>]>,
  hearer: { hear(message: Message, packet: Packet): void; due(): number },
): ReadonlyMap<number, Listener> {
  const listenerOf =
    (read: Read<Message>): Listener =>
    (packet) => {
      hearer.hear(read(packet.bytes, packet.at, packet.end, packet.source), packet);
      return hearer.due();
    };
  return new Map([...readers].map(([pgn, read]) => [pgn, listenerOf(read)]));
}
