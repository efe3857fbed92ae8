/** Publishes into a list. */
import type { Publisher, PublisherCounters, Stream } from "../../../src/core/ports/publisher.ts";
import { AsciiBuffer } from "../../../src/core/text/ascii-buffer.ts";

/** A message as it was published; `payload` is null where a state was removed. */
export interface PublishedMessage {
  readonly topic: string;
  readonly retain: boolean;
  readonly payload: string | null;
  /** Present if the message expires. */
  readonly expirySeconds?: number;
}

export interface MemoryPublisher extends Publisher {
  /** All messages in the order in which they were published. */
  readonly messages: readonly PublishedMessage[];
  /** The latest value of each state, as a broker would keep it. */
  readonly states: ReadonlyMap<string, string>;
  /** Number of calls of `flush`. */
  readonly flushes: number;
  readonly isClosed: boolean;
  /** Set by the test. */
  rival: string | undefined;
  isReading: boolean;
  /** The payloads of one topic, parsed. */
  payloads(topic: string): unknown[];
  /** Forgets the messages so far; states stay, as with a broker. */
  clear(): void;
}

export const memoryPublisher = (): MemoryPublisher => new ListPublisher();

class ListPublisher implements MemoryPublisher {
  readonly messages: PublishedMessage[] = [];
  readonly states = new Map<string, string>();
  flushes = 0;
  isClosed = false;
  rival: string | undefined = undefined;
  isReading = false;
  readonly #buffer = new AsciiBuffer();
  /** Whether a message is open. */
  #isOpen = false;
  #published = 0;
  /** Payloads of the topics that were asked for, and how many of `messages` have been looked through for them. */
  readonly #parsed = new Map<string, { seen: number; readonly payloads: unknown[] }>();

  stream(topic: string): Stream {
    return {
      topic,
      open: () => {
        this.#requireClosed();
        this.#isOpen = true;
        this.#buffer.at = 0;
        return this.#buffer;
      },
      commit: () => {
        if (!this.#isOpen) throw new Error("no message is open");
        this.#isOpen = false;
        this.#add(topic, false, this.#buffer.text());
      },
      discard: () => {
        this.#isOpen = false;
      },
    };
  }

  retain(topic: string, payload: string | null, expirySeconds?: number): void {
    this.#requireClosed();
    this.#add(topic, true, payload, expirySeconds);
    if (payload === null) this.states.delete(topic);
    else this.states.set(topic, payload);
  }

  flush(): void {
    this.#requireClosed();
    this.flushes += 1;
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  counters(): PublisherCounters {
    return { published: this.#published, refused: 0, dropped: 0, backlog: 0 };
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  payloads(topic: string): unknown[] {
    const parsed = this.#parsed.get(topic) ?? { seen: 0, payloads: [] };
    this.#parsed.set(topic, parsed);
    for (; parsed.seen < this.messages.length; parsed.seen++) {
      const message = this.messages[parsed.seen]!;
      if (message.topic === topic) parsed.payloads.push(JSON.parse(message.payload ?? "null"));
    }
    return [...parsed.payloads];
  }

  clear(): void {
    this.messages.length = 0;
    this.#parsed.clear();
  }

  #requireClosed(): void {
    if (this.#isOpen) throw new Error("a message is open");
  }

  #add(topic: string, retain: boolean, payload: string | null, expirySeconds?: number): void {
    if (this.isClosed) throw new Error(`published to ${topic} after close`);
    this.messages.push({ topic, retain, payload, ...(expirySeconds !== undefined && { expirySeconds }) });
    this.#published += 1;
  }
}
