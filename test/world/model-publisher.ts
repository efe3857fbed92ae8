/**
 * A publisher over the model of a broker, by the rules of `adapters/node/mqtt/publisher.ts`; its states are those of
 * the real one.
 */
import { RetainedStates, type StateLink } from "../../src/adapters/node/mqtt/retained-states.ts";
import type { Publisher, PublisherCounters, Stream } from "../../src/core/ports/publisher.ts";
import { AsciiBuffer } from "../../src/core/text/ascii-buffer.ts";
import type { Broker, BrokerClient } from "./broker.ts";
import type { ProgramClock } from "./virtual-clock.ts";

const RECONNECT_MS = 5000;

export interface ModelPublisherOptions {
  readonly broker: Broker;
  readonly clock: ProgramClock;
  readonly identity: { readonly topic: string; payload(online: boolean): string };
  readonly filters: readonly string[];
  command(topic: string, payload: string): void;
  /** Sees each message as it is published, also while the broker is away. */
  onMessage(topic: string, payload: string, isState: boolean): void;
  delayMs(): number;
  /** Whether the answers of the broker to states are lost. */
  losesAnswers(): boolean;
}

interface State {
  readonly payload: string;
  /** Monotonic times, milliseconds. */
  readonly since: number;
  readonly expires: number;
}

export class ModelPublisher implements Publisher {
  /** The value of each state that the bridge has published last. */
  readonly states = new Map<string, State>();
  isOnline = false;
  /** Monotonic time at which it had heard what the broker had retained at its start; undefined: not yet. */
  readAt: number | undefined;
  /** Monotonic time of the last connection. */
  connectedAt = 0;
  get isReading(): boolean {
    return this.readAt === undefined;
  }

  readonly #options: ModelPublisherOptions;
  readonly #client: BrokerClient;
  readonly #buffer = new AsciiBuffer();
  readonly #retained: RetainedStates;
  #isClosed = false;
  #published = 0;
  #dropped = 0;

  constructor(options: ModelPublisherOptions) {
    this.#options = options;
    this.#retained = new RetainedStates(options.clock);
    this.#client = {
      name: "hub-cand",
      delayMs: options.delayMs,
      deliver: ({ topic, payload }) => options.command(topic, payload),
      lost: () => {
        this.isOnline = false;
        this.#retained.detach();
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
    const link: StateLink = {
      canExpire: broker.version === 5,
      permitted: Number.POSITIVE_INFINITY,
      send: (topic, payload, expirySeconds, onAnswer) => {
        broker.publish(topic, payload, true, expirySeconds);
        broker.ask(this.#client, () => {
          if (!this.#options.losesAnswers()) onAnswer();
        });
      },
    };
    // At first the broker has states of the last start, which are read before they are replaced.
    if (!this.isReading) this.#retained.attach(link);
    broker.subscribe(this.#client, filters);
    if (this.isReading)
      broker.ask(this.#client, () => {
        this.readAt = clock.monotonic();
        this.#retained.attach(link);
      });
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
    const since = this.#options.clock.monotonic();
    this.states.set(topic, { payload: payload ?? "", since, expires: since + expirySeconds * 1000 });
    this.#retained.set(topic, payload ?? "", Number.isFinite(expirySeconds) ? expirySeconds : undefined);
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
}
