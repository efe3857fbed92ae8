/** A publisher over the model of a broker, by the rules of `adapters/node/mqtt/publisher.ts`. */
import type { Publisher, PublisherCounters, Stream } from "../../src/core/ports/publisher.ts";
import { AsciiBuffer } from "../../src/core/text/ascii-buffer.ts";
import type { Broker, BrokerClient } from "./broker.ts";
import type { ProgramClock } from "./virtual-clock.ts";

const RECONNECT_MS = 5000;
/** Time after the answer to the subscription in which the broker sends what it retains. */
const READ_MS = 1000;

export interface ModelPublisherOptions {
  readonly broker: Broker;
  readonly clock: ProgramClock;
  readonly identity: { readonly topic: string; payload(online: boolean): string };
  readonly filters: readonly string[];
  command(topic: string, payload: string): void;
  /** Sees each message as it is published, also while the broker is away. */
  onMessage(topic: string, payload: string, isState: boolean): void;
  delayMs(): number;
}

interface State {
  readonly payload: string;
  readonly expires: number;
}

export class ModelPublisher implements Publisher {
  /** The latest value of each state that has not been removed. */
  readonly states = new Map<string, State>();
  isOnline = false;
  isReading = true;
  /** Monotonic time at which it had heard what the broker had retained at its start; undefined: not yet. */
  readAt: number | undefined;
  /** Monotonic time of the last connection. */
  connectedAt = 0;
  readonly #options: ModelPublisherOptions;
  readonly #client: BrokerClient;
  readonly #buffer = new AsciiBuffer();
  #isClosed = false;
  #published = 0;
  #dropped = 0;

  constructor(options: ModelPublisherOptions) {
    this.#options = options;
    this.#client = {
      name: "hub-cand",
      delayMs: options.delayMs,
      deliver: ({ topic, payload }) => options.command(topic, payload),
      lost: () => {
        this.isOnline = false;
        if (!this.#isClosed) options.clock.after(RECONNECT_MS, () => this.connect());
      },
    };
  }

  connect(): void {
    const { broker, clock, identity, filters } = this.#options;
    if (this.#isClosed) return;
    if (!broker.connect(this.#client)) {
      clock.after(RECONNECT_MS, () => this.connect());
      return;
    }
    this.isOnline = true;
    this.connectedAt = clock.monotonic();
    broker.publish(identity.topic, identity.payload(true), true);
    // At first the broker has states of the last start, which are read before they are replaced.
    if (!this.isReading) this.#sendAll();
    broker.subscribe(this.#client, filters);
    if (!this.isReading) return;
    broker.ask(this.#client, () => {
      const { connectedAt } = this;
      this.readAt ??= clock.monotonic();
      clock.after(READ_MS, () => {
        if (!this.isOnline || connectedAt !== this.connectedAt) return;
        this.isReading = false;
        this.#sendAll();
      });
    });
  }

  #sendAll(): void {
    for (const topic of [...this.states.keys()]) this.#send(topic);
  }

  /** The program has ended; its last will is sent if it has not said goodbye. */
  end(): void {
    const { broker, identity, clock } = this.#options;
    this.#isClosed = true;
    broker.disconnect(this.#client);
    if (this.isOnline) broker.publish(identity.topic, identity.payload(false), true);
    this.isOnline = false;
    clock.stop();
  }

  stream(topic: string): Stream {
    return {
      topic,
      open: () => {
        this.#buffer.at = 0;
        return this.#buffer;
      },
      discard: () => {},
      commit: () => {
        const payload = this.#buffer.text();
        this.#options.onMessage(topic, payload, false);
        if (this.isOnline) {
          this.#published++;
          this.#options.broker.publish(topic, payload);
        } else if (this.connectedAt > 0) this.#dropped++;
      },
    };
  }

  retain(topic: string, payload: string | null, expirySeconds = Number.POSITIVE_INFINITY): void {
    this.#options.onMessage(topic, payload ?? "", true);
    this.states.set(topic, { payload: payload ?? "", expires: this.#options.clock.monotonic() + expirySeconds * 1000 });
    this.#send(topic);
  }

  flush(): void {}

  drained(): Promise<void> {
    return Promise.resolve();
  }

  counters(): PublisherCounters {
    return { published: this.#published, refused: 0, dropped: this.#dropped, backlog: 0 };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #send(topic: string): void {
    const { broker, clock } = this.#options;
    const { payload, expires } = this.states.get(topic)!;
    const seconds = Math.ceil((expires - clock.monotonic()) / 1000);
    if (seconds <= 0) {
      this.states.delete(topic);
      return;
    }
    if (!this.isOnline || this.isReading) return;
    broker.publish(topic, payload, true, seconds);
    if (payload === "") this.states.delete(topic);
  }
}
