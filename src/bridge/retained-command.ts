/**
 * A command that is retained as it is in force, so that it outlives the daemon: the broker sends it again at the next
 * start.
 */
import type { Publisher } from "../ports/publisher.ts";

/** What the broker has not sent back after this time, it does not send back. */
const ECHO_MS = 10_000;

/** A payload that was retained, and when. */
interface Retained {
  readonly payload: string;
  readonly at: number;
}

export class RetainedCommand {
  readonly #publisher: Publisher;
  readonly #topic: string;
  readonly #payloadNow: () => string | undefined;
  readonly #clock: () => number;
  /** As it was last retained; undefined: a client has published another one. */
  #retained: string | undefined = "";
  /** Payloads retained here, the oldest first: the last that the broker has sent back, and those behind it. */
  readonly #underway: Retained[] = [];

  /** `clock` is a monotonic time, milliseconds. */
  constructor(publisher: Publisher, topic: string, payloadNow: () => string | undefined, clock: () => number) {
    this.#publisher = publisher;
    this.#topic = topic;
    this.#payloadNow = payloadNow;
    this.#clock = clock;
  }

  /**
   * The broker sends back what is retained here, in its order, perhaps after newer ones: an older one taken for a
   * command would be retained and sent back too, without an end.
   */
  isEcho(payload: string): boolean {
    this.#forgetLost();
    const index = this.#underway.findIndex((retained) => retained.payload === payload);
    if (index > 0) this.#underway.splice(0, index);
    return index >= 0;
  }

  /** A client has published another one. */
  noteOther(): void {
    this.#retained = undefined;
  }

  retain(): void {
    const payload = this.#payloadNow() ?? "";
    if (payload === this.#retained) return;
    this.#retained = payload;
    this.#underway.push({ payload, at: this.#clock() });
    this.#forgetLost();
    this.#publisher.retain(this.#topic, payload === "" ? null : payload);
  }

  /** The last one may come at any time, at the next connection. */
  #forgetLost(): void {
    const since = this.#clock() - ECHO_MS;
    const index = this.#underway.findIndex(({ at }) => at >= since);
    this.#underway.splice(0, index < 0 ? this.#underway.length - 1 : index);
  }
}
