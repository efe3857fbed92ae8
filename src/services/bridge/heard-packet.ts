/** A packet with its sender and, if its PGN is published, its message. */
import type { AnyMessage, Reader } from "../../core/n2k/catalogue.ts";
import { type Device, Devices } from "../../core/nav/devices.ts";
import { Packet } from "../../core/ports/packet-batch.ts";
import type { Knowledge } from "./boat.ts";

export class HeardPacket extends Packet {
  /** The reader of the layout that the packet has; undefined: its PGN is not published. */
  reader: Reader | undefined;
  readonly #known: Pick<Knowledge, "devices">;
  readonly #senders = new Devices();
  #device: Device | undefined;
  #message: AnyMessage | undefined;

  constructor(known: Pick<Knowledge, "devices">) {
    super();
    this.#known = known;
  }

  /** To be called when the packet has moved: forgets what was read of the one before. */
  renew(): void {
    this.reader = undefined;
    this.#device = undefined;
    this.#message = undefined;
  }

  /** The sender, looked up at most once. Only for a packet that has been admitted: its address is settled then. */
  get device(): Device {
    this.#device ??= this.#sender();
    return this.#device;
  }

  #sender(): Device {
    const { source, arrived } = this;
    const { devices } = this.#known;
    return this.#senders.at(source, devices.nameOf(source), arrived, devices.isDisputed(source));
  }

  /** The message as it is published; decoded at most once. Only for a packet with a reader. */
  get message(): AnyMessage {
    this.#message ??= this.reader!.message(this);
    return this.#message;
  }
}
