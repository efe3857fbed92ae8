/**
 * A device that is heard on several networks, because a bridge between them repeats its messages. A message is taken
 * from the network on which its PGN is heard first; the others take over when that one is silent, so that a bridge may
 * pass on some PGNs only.
 */
import type { Packet } from "../../core/ports/packet-batch.ts";

/** Time after a message within which another network repeats it. */
const REPEATED_WITHIN_MS = 2000;
/** Maximum PGNs of a device that are taken from several networks; others are taken from the first of its networks. */
const MAX_PGNS = 256;

interface Sender {
  /** Address of the device on the network from which the PGN is taken. */
  address: number;
  /** Monotonic time of the last message, milliseconds. */
  at: number;
}

export class Twin {
  /** The address under which the device is published: the lowest. */
  readonly address: number;
  /** The network of each PGN. */
  readonly senders = new Map<number, Sender>();

  constructor(address: number) {
    this.address = address;
  }

  /** Whether the message is taken; its source is the address of the device then. */
  admits(packet: Packet): boolean {
    const { pgn, source, arrived } = packet;
    const sender = this.senders.get(pgn);
    if (sender === undefined) {
      if (this.senders.size < MAX_PGNS) this.senders.set(pgn, { address: source, at: arrived });
      else if (source !== this.address) return false;
    } else {
      if (sender.address !== source && arrived - sender.at <= REPEATED_WITHIN_MS) return false;
      sender.address = source;
      sender.at = arrived;
    }
    packet.source = this.address;
    return true;
  }
}
