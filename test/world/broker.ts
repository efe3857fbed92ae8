/**
 * A model of an MQTT broker: retained messages with their expiry, the order of each client's messages, delays, outages,
 * and a restart that has forgotten everything.
 */
import type { ProgramClock, VirtualClock } from "./virtual-clock.ts";

/** The same object for all clients, so that its payload is read once. */
export class BrokerMessage {
  readonly topic: string;
  readonly payload: string;
  /** Monotonic time of its publication, milliseconds. */
  readonly at: number;
  #bytes: Buffer | undefined;

  constructor(topic: string, payload: string, at: number) {
    this.topic = topic;
    this.payload = payload;
    this.at = at;
  }

  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.payload);
    return this.#bytes;
  }
}

export interface BrokerClient {
  readonly name: string;
  /** Time on the way to the client, milliseconds. */
  delayMs(): number;
  deliver(message: BrokerMessage, isRetained: boolean): void;
  /** The connection is gone. */
  lost(): void;
}

interface Session {
  readonly client: BrokerClient;
  /** Expressions of the filters. */
  readonly filters: Map<string, RegExp>;
  /** Whether it hears a topic; emptied with each subscription. */
  readonly hears: Map<string, boolean>;
  /** Time of arrival of its last message: later ones do not overtake. */
  arrives: number;
  isOpen: boolean;
}

interface Retained {
  readonly message: BrokerMessage;
  readonly expires: number;
}

const expressionOf = (filter: string): RegExp =>
  new RegExp(
    `^${filter
      .replaceAll(/[.*?^${}()|[\]\\]/g, "\\$&")
      .replaceAll("+", "[^/]+")
      .replace("#", ".*")}$`,
  );

export class Broker {
  isUp = true;
  /** Of MQTT; 4 is 3.1.1. */
  readonly version: 4 | 5;
  readonly #clock: VirtualClock;
  readonly #timers: ProgramClock;
  readonly #retained = new Map<string, Retained>();
  readonly #sessions = new Map<BrokerClient, Session>();

  constructor(clock: VirtualClock, version: 4 | 5 = 5) {
    this.#clock = clock;
    this.version = version;
    this.#timers = clock.program();
  }

  /** False while the broker is away. */
  connect(client: BrokerClient): boolean {
    if (!this.isUp) return false;
    this.#sessions.set(client, { client, filters: new Map(), hears: new Map(), arrives: 0, isOpen: true });
    return true;
  }

  disconnect(client: BrokerClient): void {
    const session = this.#sessions.get(client);
    if (session !== undefined) session.isOpen = false;
    this.#sessions.delete(client);
  }

  subscribe(client: BrokerClient, filters: readonly string[]): void {
    const session = this.#sessions.get(client);
    if (session === undefined) return;
    session.hears.clear();
    for (const filter of filters) {
      const expression = expressionOf(filter);
      session.filters.set(filter, expression);
      for (const message of this.#kept()) if (expression.test(message.topic)) this.#send(session, message, true);
    }
  }

  unsubscribe(client: BrokerClient, filters: readonly string[]): void {
    const session = this.#sessions.get(client);
    session?.hears.clear();
    for (const filter of filters) session?.filters.delete(filter);
  }

  /** Answers a client after all messages that wait for it. */
  ask(client: BrokerClient, onAnswer: () => void): void {
    const session = this.#sessions.get(client);
    if (session !== undefined) this.#after(session, onAnswer);
  }

  publish(topic: string, payload: string, retain = false, expirySeconds = Number.POSITIVE_INFINITY): void {
    if (!this.isUp) return;
    const message = new BrokerMessage(topic, payload, this.#clock.now);
    if (retain && payload === "") this.#retained.delete(topic);
    else if (retain) this.#retained.set(topic, { message, expires: this.#clock.now + expirySeconds * 1000 });
    for (const session of this.#sessions.values()) {
      let hears = session.hears.get(topic);
      if (hears === undefined) {
        hears = [...session.filters.values()].some((each) => each.test(topic));
        session.hears.set(topic, hears);
      }
      if (hears) this.#send(session, message, false);
    }
  }

  /** The payload that is retained for a topic, and has not expired. */
  retained(topic: string): string | undefined {
    const kept = this.#retained.get(topic);
    return kept !== undefined && kept.expires > this.#clock.now ? kept.message.payload : undefined;
  }

  /** The broker is gone; with `forgets`, it comes back with an empty database. */
  stop({ forgets }: { readonly forgets: boolean }): void {
    this.isUp = false;
    if (forgets) this.#retained.clear();
    for (const client of [...this.#sessions.keys()]) {
      this.disconnect(client);
      client.lost();
    }
  }

  /** All retained messages that have not expired, in the order in which the topics came. */
  #kept(): readonly BrokerMessage[] {
    for (const [topic, { expires }] of this.#retained) if (expires <= this.#clock.now) this.#retained.delete(topic);
    return [...this.#retained.values()].map(({ message }) => message);
  }

  #send(session: Session, message: BrokerMessage, isRetained: boolean): void {
    this.#after(session, () => session.client.deliver(message, isRetained));
  }

  /** Calls after all that is on its way to the client. */
  #after(session: Session, call: () => void): void {
    session.arrives = Math.max(session.arrives, this.#clock.now + session.client.delayMs());
    this.#timers.after(session.arrives - this.#clock.now, () => {
      if (session.isOpen) call();
    });
  }
}
