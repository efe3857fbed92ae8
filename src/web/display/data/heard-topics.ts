/** Topics that other programs publish, with their latest payloads, for the form of the sensors. Bounded. Pure. */
import { MAX_PAYLOAD_BYTES } from "../../../core/sensors/reading.ts";

export interface HeardTopic {
  readonly topic: string;
  /** Undefined: too long. */
  readonly payload: string | undefined;
  readonly isRetained: boolean;
  /** Monotonic milliseconds. */
  readonly arrived: number;
}

/** Maximum topics; a GX device that tells everything has some thousands, of which those that come first are kept. */
export const MAX_HEARD_TOPICS = 2000;

const utf8 = new TextDecoder();

export class HeardTopics {
  /** Topics for which there was no room. */
  left = 0;
  readonly #topics = new Map<string, HeardTopic>();
  readonly #isOwn: (topic: string) => boolean;

  /** `isOwn`: a topic of hub, which is no sensor's. */
  constructor(isOwn: (topic: string) => boolean) {
    this.#isOwn = isOwn;
  }

  hear(topic: string, bytes: Uint8Array, isRetained: boolean, arrived: number): void {
    if (this.#isOwn(topic)) return;
    if (!this.#topics.has(topic) && this.#topics.size >= MAX_HEARD_TOPICS) {
      this.left++;
      return;
    }
    const payload = bytes.length > MAX_PAYLOAD_BYTES ? undefined : utf8.decode(bytes);
    this.#topics.set(topic, { topic, payload, isRetained, arrived });
  }

  /** Sorted by name. */
  get topics(): readonly HeardTopic[] {
    return [...this.#topics.values()].sort((a, b) => a.topic.localeCompare(b.topic, "en", { numeric: true }));
  }

  at(topic: string): HeardTopic | undefined {
    return this.#topics.get(topic);
  }

  /** The latest message of the topics that `matches` likes. */
  latest(matches: (topic: string) => boolean): HeardTopic | undefined {
    let latest: HeardTopic | undefined;
    for (const heard of this.#topics.values())
      if (matches(heard.topic) && (latest === undefined || heard.arrived > latest.arrived)) latest = heard;
    return latest;
  }
}
