/**
 * A device that is heard on several networks, because a bridge between them repeats its messages. The first network, in
 * the order of their addresses, is preferred, for each PGN by itself, so that a bridge may pass on some PGNs only.
 * Another one takes over when the sender is silent, and a preferred one when it has been heard without interruption.
 */
import type { Packet } from "../../core/ports/packet-batch.ts";

/** Time after a message within which another network repeats it. */
const REPEATED_WITHIN_MS = 2000;
/** Time for which a preferred network must have been heard before it takes over, as a better source does. */
const RETURN_AFTER_MS = 5000;
/** Maximum PGNs of a device that are taken from several networks; others are taken from the first of its networks. */
const MAX_PGNS = 256;

interface Sender {
  /** Address of the device on the network from which the PGN is taken. */
  address: number;
  /** Monotonic time of the last message, milliseconds. */
  at: number;
  /** A preferred network that is heard again: since when, and when last. */
  back?: { readonly address: number; readonly since: number; at: number };
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
      if (sender.address !== source && arrived - sender.at <= REPEATED_WITHIN_MS && !isBack(sender, packet))
        return false;
      sender.address = source;
      sender.at = arrived;
    }
    packet.source = this.address;
    return true;
  }
}

/** Whether a repeated message is from a preferred network that has been heard for long enough to take over. */
function isBack(sender: Sender, { source, arrived }: Packet): boolean {
  if (source > sender.address) return false;
  const { back } = sender;
  if (back === undefined || source < back.address || arrived - back.at > REPEATED_WITHIN_MS)
    sender.back = { address: source, since: arrived, at: arrived };
  else if (source === back.address) {
    back.at = arrived;
    return arrived - back.since >= RETURN_AFTER_MS;
  }
  return false;
}
