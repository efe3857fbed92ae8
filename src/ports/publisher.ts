/**
 * Where messages go: an MQTT broker, standard output, a list in a test.
 *
 * Two kinds of topic, because brokers know two: a stream, where only what happens now counts, and a state, of which the
 * latest value is kept for whoever comes later.
 */
import type { AsciiBuffer } from "../n2k/ascii-buffer.ts";

/**
 * A topic opened once for many messages, so that its framing is settled once. Payloads are JSON text in ASCII, written where
 * they leave from: nobody else may begin a message between `begin` and `end`.
 */
export interface Stream {
  readonly topic: string;
  /** Begins a message: what is written to the end of the buffer is its payload. One begun before and not ended is forgotten. */
  begin(): AsciiBuffer;
  /** Publishes what has been written since `begin`. */
  end(): void;
}

export interface StreamOptions {
  /** Dropped last when the broker is too slow (the navigation report). */
  readonly important?: boolean;
}

export interface Publisher {
  /** Opens a stream: QoS 0, not retained; messages are dropped while nobody can take them, and counted. */
  stream(topic: string, options?: StreamOptions): Stream;
  /** Publishes a state: QoS 1, retained, the latest value survives an absent broker. `null` removes it. */
  retain(topic: string, payload: string | null): void;
  /** Ends a burst: what has been published since the last call leaves in as few writes as possible. */
  flush(): void;
  /**
   * Resolves when there is somebody to take messages and little is left that they have not taken; at once where that is
   * always so, and when the publisher closes. For a source that can wait, as a recording read as fast as possible; a bus
   * cannot, and its messages are dropped and counted instead.
   */
  drained(): Promise<void>;
  counters(): PublisherCounters;
  /** Sends what is waiting, says goodbye, lets go of the connection; resolves when that is done or has taken too long. */
  close(): Promise<void>;
}

export interface PublisherCounters {
  /** Messages handed over to the connection. */
  readonly published: number;
  /** Stream messages dropped because the broker was away or too slow. */
  readonly dropped: number;
  /** Bytes accepted but not yet taken by the connection. */
  readonly backlog: number;
}

/** Publishes a payload that is there already. */
export function publishText(stream: Stream, payload: string): void {
  stream.begin().ascii(payload);
  stream.end();
}
