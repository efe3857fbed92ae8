/**
 * Limits the rate of streams. A message that comes too early waits; a newer one of its stream replaces it. The last
 * message is sent late rather than lost.
 */
import { publishText, type Stream } from "../../../core/ports/publisher.ts";

interface Limited {
  readonly stream: Stream;
  /** Monotonic time from which the next message may be sent, in milliseconds. */
  free: number;
  waiting: string | undefined;
}

/** A stream without messages for this long is dropped from memory; its next one is sent at once anyway. */
const IDLE_MS = 60_000;
/** Maximum streams that are limited. A boat has hundreds; further streams of a hostile bus are not limited. */
const MOST_LIMITED = 16_384;

export class RateLimit {
  readonly #intervalMs: number;
  readonly #limited = new Map<string, Limited>();
  readonly #waiting = new Set<Limited>();
  due = Number.POSITIVE_INFINITY;
  #sweep = 0;

  constructor(messagesPerSecond: number) {
    this.#intervalMs = 1000 / messagesPerSecond;
  }

  /** Streams in memory. */
  get kept(): number {
    return this.#limited.size;
  }

  /**
   * `key` distinguishes streams that share a topic, such as the instances of a PGN; `now` is monotonic, in
   * milliseconds.
   */
  publish(stream: Stream, key: string, payload: string, now: number): void {
    const name = `${stream.topic} ${key}`;
    let limited = this.#limited.get(name);
    if (limited === undefined) {
      if (this.#limited.size >= MOST_LIMITED) return publishText(stream, payload);
      limited = { stream, free: now, waiting: undefined };
      this.#limited.set(name, limited);
    }
    if (now >= limited.free) {
      limited.free = now + this.#intervalMs;
      limited.waiting = undefined;
      this.#waiting.delete(limited);
      publishText(stream, payload);
    } else {
      limited.waiting = payload;
      this.#waiting.add(limited);
      this.due = Math.min(this.due, limited.free);
    }
  }

  /** Sends the messages that have waited long enough. */
  advance(now: number): void {
    this.due = Number.POSITIVE_INFINITY;
    for (const limited of this.#waiting) {
      if (limited.free <= now) this.#send(limited, now);
      else this.due = Math.min(this.due, limited.free);
    }
    if (now >= this.#sweep) {
      this.#sweep = now + IDLE_MS;
      for (const [name, limited] of this.#limited) {
        if (limited.waiting === undefined && limited.free + IDLE_MS < now) this.#limited.delete(name);
      }
    }
  }

  /** Sends all waiting messages, at the end of a source. */
  finish(now: number): void {
    for (const limited of this.#waiting) this.#send(limited, now);
  }

  #send(limited: Limited, now: number): void {
    limited.free = now + this.#intervalMs;
    publishText(limited.stream, limited.waiting!);
    limited.waiting = undefined;
    this.#waiting.delete(limited);
  }
}
