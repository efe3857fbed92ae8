/**
 * A device that is heard on several networks, because a bridge between them repeats its messages. The first network, in
 * the order of their addresses, is preferred, for each PGN by itself, so that a bridge may pass on some PGNs only.
 * Another one takes over when the sender is silent, and a preferred one when it has been heard without interruption.
 *
 * A network that is late by seconds is preferred to none that is not, and takes over later by its delay: until then it
 * has what is known already.
 */
import type { Packet } from "../../core/ports/packet-batch.ts";
import { NetworkDelays } from "./network-delays.ts";

/** Time after a message within which another network repeats it. */
const REPEATED_WITHIN_MS = 2000;
/** Time for which a preferred network must have been heard before it takes over, as a better source does. */
const RETURN_AFTER_MS = 5000;
/** A network is interrupted if the sender sends more than this while it is silent: a PGN may come each ten seconds. */
const MAX_MISSED = 2;
/** Maximum PGNs of a device that are taken from several networks; others are taken from the first of its networks. */
const MAX_PGNS = 256;

interface Sender {
  /** Address of the device on the network from which the PGN is taken. */
  address: number;
  /** Monotonic time of the last message, milliseconds. */
  at: number;
  /** A preferred network that is heard again. */
  back?: Back;
}

interface Back {
  readonly address: number;
  /** Monotonic times of its first and its last message. */
  readonly since: number;
  at: number;
  /** Messages of the sender after the last one. */
  missed: number;
}

export class Twin {
  /** The address under which the device is published: the lowest. */
  readonly address: number;
  /** The network of each PGN. */
  readonly senders = new Map<number, Sender>();
  readonly #delays: NetworkDelays;

  /** `onLate` hears of the address of a network that is late, and of its delay in milliseconds. */
  constructor(address: number, onLate: (address: number, ms: number) => void) {
    this.address = address;
    this.#delays = new NetworkDelays(address, onLate);
  }

  /** Whether the message is taken; its source is the address of the device then. */
  admits(packet: Packet): boolean {
    this.#delays.hear(packet);
    const { pgn, source, arrived } = packet;
    const sender = this.senders.get(pgn);
    if (sender === undefined) {
      if (this.senders.size < MAX_PGNS) this.senders.set(pgn, { address: source, at: arrived });
      else if (source !== this.address) return false;
    } else {
      if (source === sender.address) {
        if (sender.back !== undefined) sender.back.missed += 1;
      } else if (this.#isRepeated(sender, packet) && !this.#isBack(sender, packet)) return false;
      else delete sender.back;
      sender.address = source;
      sender.at = arrived;
    }
    packet.source = this.address;
    return true;
  }

  /** Whether the sender has sent the message before. */
  #isRepeated({ address, at }: Sender, { source, arrived }: Packet): boolean {
    const delayMs = Math.max(0, this.#delays.of(source) - this.#delays.of(address));
    return arrived - at <= REPEATED_WITHIN_MS + delayMs;
  }

  /** Whether a repeated message is from a preferred network that has been heard for long enough to take over. */
  #isBack(sender: Sender, { source, arrived }: Packet): boolean {
    if (!this.#isPreferred(source, sender.address)) return false;
    const { back } = sender;
    const isInterrupted = back === undefined || (back.missed > MAX_MISSED && arrived - back.at > REPEATED_WITHIN_MS);
    if (isInterrupted || this.#isPreferred(source, back.address)) {
      sender.back = { address: source, since: arrived, at: arrived, missed: 0 };
      return false;
    }
    if (source !== back.address) return false;
    back.at = arrived;
    back.missed = 0;
    return arrived - back.since >= RETURN_AFTER_MS;
  }

  #isPreferred(address: number, to: number): boolean {
    return (this.#delays.of(address) - this.#delays.of(to) || address - to) < 0;
  }
}
