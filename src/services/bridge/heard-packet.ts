/** A packet of a published PGN with its message, for parts that need values. */
import type { AnyMessage, Reader } from "../../core/n2k/catalogue.ts";
import { Packet } from "../../core/ports/packet-batch.ts";

export class HeardPacket extends Packet {
  #reader: Reader | undefined;
  #message: AnyMessage | undefined;

  /** The reader of the layout that the packet has; undefined: its PGN is not published. */
  get reader(): Reader | undefined {
    return this.#reader;
  }

  set reader(reader: Reader | undefined) {
    this.#reader = reader;
    this.#message = undefined;
  }

  /** The message as it is published; decoded at most once. Only for a packet with a reader. */
  get message(): AnyMessage {
    this.#message ??= this.#reader!.message(this);
    return this.#message;
  }
}
