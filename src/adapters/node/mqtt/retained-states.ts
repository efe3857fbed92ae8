/**
 * The states of a publisher, and which of them the broker does not have yet. Only the latest value of a state is kept,
 * and few are in flight, so that memory is bounded by the topics; the others wait.
 */
import type { Clock } from "../../../core/ports/clock.ts";

/** States sent and not yet answered. */
const MOST_IN_FLIGHT = 20;
/** Interval of the search for expired states. */
const SWEEP_MS = 60_000;

export interface StateLink {
  /** Whether the broker removes a state by itself when it expires, as MQTT 5 demands. */
  readonly canExpire: boolean;
  /** States in flight that the broker permits, at least 1. */
  readonly permitted: number;
  /**
   * Publishes a state, QoS 1 and retained; an empty payload removes it. `onAnswer` is called once the broker has
   * accepted or refused it.
   */
  send(topic: string, payload: string, expirySeconds: number | undefined, onAnswer: () => void): void;
}

/** The latest value of a state; empty: removed. */
interface State {
  readonly payload: string;
  /** Monotonic time, milliseconds; undefined: never. */
  readonly expires: number | undefined;
}

export class RetainedStates {
  readonly #clock: Pick<Clock, "monotonic">;
  /** Removed states too, until the broker has answered. */
  readonly #states = new Map<string, State>();
  /** Topics of states that have not been sent over this connection. */
  readonly #waiting = new Set<string>();
  /** Topics whose state was sent without an expiry: a broker has it until it is removed. */
  readonly #unexpiring = new Set<string>();
  #sweepAt = Number.NEGATIVE_INFINITY;
  #link: StateLink | undefined;
  #inFlight = 0;
  /** Called once, when no state waits or is in flight. */
  #onAllSent: (() => void) | undefined;

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** Sends a new value of a state, or keeps it for the next connection. */
  set(topic: string, payload: string, expirySeconds?: number): void {
    const now = this.#clock.monotonic();
    const expires = expirySeconds === undefined ? undefined : now + expirySeconds * 1000;
    this.#states.set(topic, { payload, expires });
    this.#waiting.add(topic);
    if (now >= this.#sweepAt) this.#forgetExpired(now);
    this.#send();
  }

  /** Sends all states in their order, because this broker may have lost what the last one had. */
  attach(link: StateLink): void {
    this.#link = link;
    this.#waiting.clear();
    for (const topic of this.#states.keys()) this.#waiting.add(topic);
    this.#send();
  }

  detach(): void {
    this.#link = undefined;
    this.#inFlight = 0;
  }

  /**
   * Resolves when the broker has answered for all states. One without expiries may be slow to answer, and may get all
   * of them at once: with such a broker it resolves when they are sent.
   */
  async allSent(): Promise<void> {
    if (this.#link?.canExpire === false) {
      this.#send(Number.POSITIVE_INFINITY);
      return;
    }
    await new Promise<void>((resolve) => {
      this.#onAllSent = resolve;
      this.#send();
    });
  }

  #forgetExpired(now: number): void {
    this.#sweepAt = now + SWEEP_MS;
    for (const [topic, { payload, expires }] of this.#states)
      if (expires !== undefined && expires <= now && payload !== "") this.#forget(topic);
  }

  /** The topic of an expired state is removed if the broker does not do so by itself, also after its absence. */
  #forget(topic: string): void {
    if (this.#unexpiring.has(topic)) {
      this.#states.set(topic, { payload: "", expires: undefined });
      this.#waiting.add(topic);
    } else {
      this.#states.delete(topic);
      this.#waiting.delete(topic);
    }
  }

  #send(limit = MOST_IN_FLIGHT): void {
    if (this.#link === undefined) return;
    const most = Math.min(limit, this.#link.permitted);
    const now = this.#clock.monotonic();
    for (const topic of this.#waiting) {
      if (this.#inFlight >= most) return;
      this.#waiting.delete(topic);
      const { payload, expires } = this.#states.get(topic)!;
      const seconds = expires === undefined ? undefined : Math.ceil((expires - now) / 1000);
      if (seconds !== undefined && seconds <= 0) this.#forget(topic);
      else this.#sendOne(this.#link, topic, payload, seconds);
    }
    if (this.#inFlight === 0 && this.#waiting.size === 0) this.#onAllSent?.();
  }

  #sendOne(link: StateLink, topic: string, payload: string, seconds: number | undefined): void {
    this.#inFlight += 1;
    if (!link.canExpire) this.#unexpiring.add(topic);
    link.send(topic, payload, link.canExpire ? seconds : undefined, () => {
      if (link !== this.#link) return;
      this.#inFlight -= 1;
      if (link.canExpire) this.#unexpiring.delete(topic);
      if (payload === "" && this.#states.get(topic)?.payload === "" && !this.#waiting.has(topic)) {
        this.#states.delete(topic);
        this.#unexpiring.delete(topic);
      }
      this.#send();
    });
  }
}
