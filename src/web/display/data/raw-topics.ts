/** All received topics with rate and latest payload. Payloads are decoded only when they are shown or searched. */
import { jsonIn } from "../../../core/util/json-in.ts";

export interface RawTopic {
  readonly topic: string;
  count: number;
  /** Messages per second; undefined until the first window has ended. */
  rate: number | undefined;
  arrived: number;
  payload: Uint8Array;
  /** Start of the current window, monotonic milliseconds, and messages in it. */
  windowStart: number;
  windowCount: number;
}

/** Maximum topics; 252 addresses with some dozens of PGNs each stay below it. */
const MAX_TOPICS = 5000;
/** Window over which a rate is counted; longer for slow topics, so that the shown rate is steady. */
const WINDOW_MS = 2000;
const SLOW_WINDOW_MS = 10_000;
const SLOW_TOPIC_MESSAGES = 5;
const decoder = new TextDecoder();

export class RawTopics {
  readonly #topics = new Map<string, RawTopic>();

  get size(): number {
    return this.#topics.size;
  }

  hear(topic: string, payload: Uint8Array, now: number): void {
    let entry = this.#topics.get(topic);
    if (entry === undefined) {
      if (this.#topics.size >= MAX_TOPICS) return;
      entry = { topic, count: 0, rate: undefined, arrived: now, payload, windowStart: now, windowCount: 0 };
      this.#topics.set(topic, entry);
    }
    entry.count++;
    entry.windowCount++;
    entry.arrived = now;
    entry.payload = payload;
  }

  /** Computes the rates of windows that have ended. Call it about once a second. */
  updateRates(now: number): void {
    for (const entry of this.#topics.values()) {
      const elapsed = now - entry.windowStart;
      if (elapsed < (entry.windowCount < SLOW_TOPIC_MESSAGES ? SLOW_WINDOW_MS : WINDOW_MS)) continue;
      entry.rate = (entry.windowCount * 1000) / elapsed;
      entry.windowStart = now;
      entry.windowCount = 0;
    }
  }

  clear(): void {
    this.#topics.clear();
  }

  /**
   * Topics whose name, description or latest payload contains every word of the filter, sorted by name; `shown` keep
   * their places, and those that have come since are below them, so that no row moves under a finger.
   */
  matching(
    filter: string,
    describe: (topic: string) => string,
    shown: ReadonlyMap<string, number> = new Map(),
  ): readonly RawTopic[] {
    const placeOf = ({ topic }: RawTopic): number => shown.get(topic) ?? shown.size;
    const words = filter
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "");
    return [...this.#topics.values()]
      .filter((one) => {
        if (words.length === 0) return true;
        const text = `${one.topic} ${describe(one.topic)} ${decoder.decode(one.payload)}`.toLowerCase();
        return words.every((word) => text.includes(word));
      })
      .sort((a, b) => placeOf(a) - placeOf(b) || a.topic.localeCompare(b.topic, "en", { numeric: true }));
  }
}

/** The payload as text; JSON gets spaces after brackets and commas. */
export function payloadText(payload: Uint8Array): string {
  const text = decoder.decode(payload);
  if (jsonIn(text) === undefined) return text;
  // Spaced by text replacement, because JSON.parse and stringify would round the 64 bits of a NAME.
  return text.replace(/("(?:[^"\\]|\\.)*")|([{[,])/g, (whole, quoted, mark) =>
    quoted !== undefined ? whole : `${mark} `,
  );
}
