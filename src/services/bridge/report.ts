/** Reports: messages that the bridge publishes on a timer, besides one for each packet. */
import type { Read } from "../../core/n2k/decode.ts";
import type { Packet } from "../../core/ports/packet-batch.ts";

export interface Report {
  /** Monotonic time at which `advance` publishes next, milliseconds; a packet can make it earlier. */
  readonly due: number;
  /** Publishes what is due at `now` (monotonic) with the timestamp `wall`, both in milliseconds. */
  advance(now: number, wall: number): void;
}

/** Reads a packet for a report and returns when the report is due. */
export type Listener = (packet: Packet) => number;

/** Listeners by PGN for a receiver of decoded messages; `readers` decode them. */
export function listenersOf<Message>(
  readers: Iterable<readonly [pgn: number, read: Read<Message>]>,
  receiver: { hear(message: Message, packet: Packet): void; due(): number },
): ReadonlyMap<number, Listener> {
  const listenerOf =
    (read: Read<Message>): Listener =>
    (packet) => {
      receiver.hear(read(packet.bytes, packet.at, packet.end, packet.source), packet);
      return receiver.due();
    };
  return new Map([...readers].map(([pgn, read]) => [pgn, listenerOf(read)]));
}
