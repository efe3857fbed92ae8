/**
 * Holds streams to a highest rate: what comes too early waits, a newer value takes its place, and the last one is sent
 * late rather than lost.
 */
import { publishText, type Stream } from "../ports/publisher.ts";
import type { Report } from "./report.ts";

interface Limited {
  readonly stream: Stream;
  /** Monotonic time from which the next one may go, milliseconds. */
  free: number;
  waiting: string | undefined;
}

/** A stream that has said nothing for so many milliseconds is forgotten; it would be sent at once anyway. */
const FORGET_AFTER = 60_000;
/** A boat has hundreds; what a hostile bus has beyond these is sent as it comes rather than kept. */
const MOST_LIMITED = 16_384;

export class RateLimit implements Report {
  readonly #interval: number;
  readonly #limited = new Map<string, Limited>();
  readonly #waiting = new Set<Limited>();
  #next = Number.POSITIVE_INFINITY;
  #sweep = 0;

  constructor(messagesPerSecond: number) {
    this.#interval = 1000 / messagesPerSecond;
  }

  /** Streams that are remembered. */
  get kept(): number {
    return this.#limited.size;
  }

  get due(): number {
    return this.#next;
  }

  /** `key` tells streams apart that share a topic, such as the instances of a PGN. */
  publish(stream: Stream, key: string, payload: string, now: number): void {
    const name = stream.topic + key;
    let limited = this.#limited.get(name);
    if (limited === undefined) {
      if (this.#limited.size >= MOST_LIMITED) return publishText(stream, payload);
      limited = { stream, free: now, waiting: undefined };
      this.#limited.set(name, limited);
    }
    if (now >= limited.free) {
      limited.free = now + this.#interval;
      limited.waiting = undefined;
      this.#waiting.delete(limited);
      publishText(stream, payload);
    } else {
      limited.waiting = payload;
      this.#waiting.add(limited);
      this.#next = Math.min(this.#next, limited.free);
    }
  }

  /** Sends what has waited long enough. */
  advance(now: number): void {
    this.#next = Number.POSITIVE_INFINITY;
    for (const limited of this.#waiting) {
      if (limited.free <= now) this.#send(limited, now);
      else this.#next = Math.min(this.#next, limited.free);
    }
    if (now >= this.#sweep) {
      this.#sweep = now + FORGET_AFTER;
      for (const [name, limited] of this.#limited) {
        if (limited.waiting === undefined && limited.free + FORGET_AFTER < now) this.#limited.delete(name);
      }
    }
  }

  /** Sends everything that waits: nothing comes any more. */
  finish(now: number): void {
    for (const limited of this.#waiting) this.#send(limited, now);
  }

  #send(limited: Limited, now: number): void {
    limited.free = now + this.#interval;
    publishText(limited.stream, limited.waiting!);
    limited.waiting = undefined;
    this.#waiting.delete(limited);
  }
}
