/**
 * Every topic that is heard, with its rate and latest payload. A message costs a look-up and a sum: nothing is read before
 * somebody looks at it.
 */

export interface RawTopic {
  readonly topic: string;
  count: number;
  /** Messages a second; undefined before it was counted for long enough. */
  rate: number | undefined;
  arrived: number;
  payload: Uint8Array;
  /** When the count that goes on began, and how many it has. */
  since: number;
  sinceCount: number;
}

/** A bus has 252 addresses with some dozens of PGNs each; what goes beyond is no bus. */
const MOST_TOPICS = 5000;
/** A rate is counted over so many milliseconds, of slow topics over more, so that it does not flicker. */
const WINDOW = 2000;
const SLOW_WINDOW = 10_000;
const SLOW = 5;
const decoder = new TextDecoder();

export class RawTopics {
  readonly #topics = new Map<string, RawTopic>();

  get size(): number {
    return this.#topics.size;
  }

  hear(topic: string, payload: Uint8Array, now: number): void {
    let known = this.#topics.get(topic);
    if (known === undefined) {
      if (this.#topics.size >= MOST_TOPICS) return;
      known = { topic, count: 0, rate: undefined, arrived: now, payload, since: now, sinceCount: 0 };
      this.#topics.set(topic, known);
    }
    known.count++;
    known.sinceCount++;
    known.arrived = now;
    known.payload = payload;
  }

  /** Closes the counts that are old enough; to be called about once a second. */
  measure(now: number): void {
    for (const known of this.#topics.values()) {
      const elapsed = now - known.since;
      if (elapsed < (known.sinceCount < SLOW ? SLOW_WINDOW : WINDOW)) continue;
      known.rate = (known.sinceCount * 1000) / elapsed;
      known.since = now;
      known.sinceCount = 0;
    }
  }

  clear(): void {
    this.#topics.clear();
  }

  /** Topics whose name or latest payload contains every word of the filter, in the order of their names. */
  matching(filter: string, describe: (topic: string) => string): readonly RawTopic[] {
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
      .sort((a, b) => a.topic.localeCompare(b.topic, "en", { numeric: true }));
  }
}

/** The payload, indented when it is JSON. */
export function payloadText(payload: Uint8Array): string {
  const text = decoder.decode(payload);
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  // By hand and not by stringify, which would round the 64 bits of a NAME.
  return text.replace(/("(?:[^"\\]|\\.)*")|([{[,])/g, (whole, quoted, mark) =>
    quoted !== undefined ? whole : `${mark} `,
  );
}
