/**
 * A command that is retained as it is in force, so that it outlives the daemon: the broker sends it again at the next
 * start.
 */
import type { Publisher } from "../ports/publisher.ts";

export class RetainedCommand {
  readonly #publisher: Publisher;
  readonly #topic: string;
  readonly #payloadNow: () => string | undefined;
  /** The payload that the broker retains; undefined: a client has published another one. */
  #retained: string | undefined = "";
  /** The payload last retained here. */
  #own: string | undefined;

  constructor(publisher: Publisher, topic: string, payloadNow: () => string | undefined) {
    this.#publisher = publisher;
    this.#topic = topic;
    this.#payloadNow = payloadNow;
  }

  /** Whether a payload is the one retained here, which the broker sends back, perhaps after a newer command. */
  isEcho(payload: string): boolean {
    return payload === this.#own;
  }

  /** A client has published another one. */
  noteOther(): void {
    this.#retained = undefined;
  }

  retain(): void {
    const payload = this.#payloadNow() ?? "";
    if (payload === this.#retained) return;
    this.#retained = payload;
    this.#own = payload;
    this.#publisher.retain(this.#topic, payload === "" ? null : payload);
  }
}
