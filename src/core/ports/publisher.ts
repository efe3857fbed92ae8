/**
 * The destination of messages: an MQTT broker, standard output, a list in a test.
 *
 * There are two kinds of topics, as at brokers: a stream, whose messages matter only when they are published, and a
 * state, whose latest value is kept for later subscribers.
 */
import type { AsciiBuffer } from "../text/ascii-buffer.ts";

/**
 * A topic opened once for many messages, so that its framing is made once. The payload, JSON text in ASCII, is written
 * into the output buffer itself. So a publisher has at most one open message: `open`, `retain` and `flush` throw within
 * another one.
 *
 * @example
 * const out = stream.open(); out.ascii('{"data":1}'); stream.commit();
 */
export interface Stream {
  readonly topic: string;
  /** Begins a message; its payload is appended to the buffer. `commit` or `discard` has to follow. */
  open(): AsciiBuffer;
  /** Publishes the open message, or drops and counts it if the other side is away or too slow. */
  commit(): void;
  /** Forgets the open message. */
  discard(): void;
}

export interface StreamOptions {
  /** Dropped last when the broker is too slow (the navigation report). */
  readonly important?: boolean;
}

export interface Publisher {
  /**
   * Opens a stream: QoS 0, not retained; messages are dropped while there is no connection, and counted after the first
   * one.
   */
  stream(topic: string, options?: StreamOptions): Stream;
  /**
   * Publishes a state: QoS 1, retained; the latest value is kept while the broker is away. `null` removes it. With an
   * expiry the broker and the publisher remove it after that time.
   */
  retain(topic: string, payload: string | null, expirySeconds?: number): void;
  /** Ends a burst: the messages since the last call leave in as few writes as possible. */
  flush(): void;
  /**
   * Back-pressure for a source that can wait, such as a recording read as fast as possible: resolves when there is a
   * connection with a small backlog, and at once when the publisher closes. A bus cannot wait; its messages are dropped
   * and counted.
   */
  drained(): Promise<void>;
  counters(): PublisherCounters;
  /** The name of this client, while another one of that name has displaced it within the last minutes. */
  readonly rival?: string | undefined;
  /**
   * Set until the broker has sent what it retained before this start, as far as is known: what hub-cand reads back is
   * not replaced before, and no report tells of a boat without it.
   */
  readonly isReading?: boolean;
  /** Set if topics that hub-cand itself reads are not published, so that no broker sends them back. */
  readonly isPassing?: true;
  /**
   * Sends the backlog and the offline identity and closes the connection; resolves when that is done or has taken too
   * long.
   */
  close(): Promise<void>;
}

export interface PublisherCounters {
  /** Messages handed over to the connection. */
  readonly published: number;
  /** States that the other side refused, if it reports that. */
  readonly refused: number;
  /** Stream messages dropped because the broker was too slow, or away after the first connection. */
  readonly dropped: number;
  /** Bytes accepted but not yet taken by the connection. */
  readonly backlog: number;
}

/** Publishes a payload that is complete already. */
export function publishText(stream: Stream, payload: string): void {
  stream.open().ascii(payload);
  stream.commit();
}
