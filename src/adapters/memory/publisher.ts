/** Publishes into a list that somebody looks at. */
import { AsciiBuffer } from "../../n2k/ascii-buffer.ts";
import type { Publisher, PublisherCounters } from "../../ports/publisher.ts";

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
  const begun = new AsciiBuffer();
  let published = 0;
  let flushes = 0;
  let isClosed = false;

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
      begin() {
        begun.at = 0;
        return begun;
      },
      end: () => add(topic, false, begun.text()),
    }),
    retain(topic, payload) {
      add(topic, true, payload);
      if (payload === null) states.delete(topic);
      else states.set(topic, payload);
    },
    flush() {
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
