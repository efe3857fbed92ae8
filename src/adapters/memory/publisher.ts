/** Publishes into a list. */
import type { Publisher, PublisherCounters } from "../../ports/publisher.ts";
import { AsciiBuffer } from "../../text/ascii-buffer.ts";

/** A message as it was published; `payload` is null where a state was removed. */
export interface PublishedMessage {
  readonly topic: string;
  readonly retain: boolean;
  readonly payload: string | null;
}

export interface MemoryPublisher extends Publisher {
  /** All messages in the order they were published. */
  readonly messages: readonly PublishedMessage[];
  /** The latest value of each state, as a broker would keep it. */
  readonly states: ReadonlyMap<string, string>;
  /** How often a burst was ended. */
  readonly flushes: number;
  readonly isClosed: boolean;
  /** The payloads of one topic, parsed. */
  payloads(topic: string): unknown[];
  /** Forgets the messages so far; states stay, as with a broker. */
  clear(): void;
}

export function memoryPublisher(): MemoryPublisher {
  const messages: PublishedMessage[] = [];
  const states = new Map<string, string>();
  const buffer = new AsciiBuffer();
  /** A message is open. */
  let isOpen = false;
  let published = 0;
  let flushes = 0;
  let isClosed = false;

  const requireClosed = (): void => {
    if (isOpen) throw new Error("a message is open");
  };
  const add = (topic: string, retain: boolean, payload: string | null): void => {
    if (isClosed) throw new Error(`published to ${topic} after close`);
    messages.push({ topic, retain, payload });
    published += 1;
  };

  return {
    messages,
    states,
    get flushes() {
      return flushes;
    },
    get isClosed() {
      return isClosed;
    },
    stream: (topic) => ({
      topic,
      open() {
        requireClosed();
        isOpen = true;
        buffer.at = 0;
        return buffer;
      },
      commit() {
        if (!isOpen) throw new Error("no message is open");
        isOpen = false;
        add(topic, false, buffer.text());
      },
      discard() {
        isOpen = false;
      },
    }),
    retain(topic, payload) {
      requireClosed();
      add(topic, true, payload);
      if (payload === null) states.delete(topic);
      else states.set(topic, payload);
    },
    flush() {
      requireClosed();
      flushes += 1;
    },
    drained: () => Promise.resolve(),
    counters: (): PublisherCounters => ({ published, dropped: 0, backlog: 0 }),
    async close() {
      isClosed = true;
    },
    payloads: (topic) =>
      messages.filter((message) => message.topic === topic).map(({ payload }) => JSON.parse(payload ?? "null")),
    clear() {
      messages.length = 0;
    },
  };
}
