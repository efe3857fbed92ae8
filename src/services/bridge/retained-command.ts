/**
 * A command that is retained as it is in force, so that it outlives the daemon: the broker sends it again at the next
 * start.
 */
import type { Publisher } from "../../core/ports/publisher.ts";

/** Time within which the broker sends a payload back; after it the payload counts as lost. */
const ECHO_MS = 10_000;

/** A payload that was retained, and when. */
interface Retained {
  readonly payload: string;
  readonly at: number;
  /** The broker has sent it back. */
  isBack: boolean;
}

export class RetainedCommand {
  readonly #publisher: Publisher;
  readonly #topic: string;
  readonly #payloadNow: () => string | undefined;
  readonly #clock: () => number;
  /** The payload that the broker retains; undefined: a client has published another one. */
  #retained: string | undefined = "";
  /** Payloads retained here, the oldest first: the one that the broker sent back last, and the later ones. */
  readonly #underway: Retained[] = [];

  /** `clock` is a monotonic time, milliseconds. */
  constructor(publisher: Publisher, topic: string, payloadNow: () => string | undefined, clock: () => number) {
    this.#publisher = publisher;
    this.#topic = topic;
    this.#payloadNow = payloadNow;
    this.#clock = clock;
  }

  /**
   * Whether a payload was retained here: the broker sends each back, in order, perhaps after newer commands. An older one
   * that is taken for a command would be retained and sent back again, without an end.
   */
  isEcho(payload: string): boolean {
    this.#forgetLost();
    const index = this.#underway.findIndex((retained) => retained.payload === payload);
    if (index < 0) return false;
    this.#underway.splice(0, index);
    this.#underway[0]!.isBack = true;
    return true;
  }

  /** A client has published another one. What the broker sent back before is a command when it comes again. */
  noteOther(): void {
    if (this.#underway[0]?.isBack) this.#underway.shift();
    this.#retained = undefined;
  }

  retain(): void {
    if (this.#publisher.isReading) return;
    const payload = this.#payloadNow() ?? "";
    if (payload === this.#retained) return;
    this.#retained = payload;
    if (this.#publisher.isPassing) return;
    this.#underway.push({ payload, at: this.#clock(), isBack: false });
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
