/**
 * Fast streams in samples, for slow links: the page subscribes for a moment and then pauses until no message waits on
 * the way. Pure. Times are monotonic milliseconds.
 */

/**
 * Length of a moment, enough for a message of each device of a fast stream; doubled for a stream without one, up to the
 * second value.
 */
const [SHORTEST_LISTEN_MS, LONGEST_LISTEN_MS] = [200, 1200];

interface Stream {
  readonly pauseMs: number;
  listenMs: number;
  isPaused: boolean;
  /** Time at which the moment or the pause began. */
  since: number;
  /** Messages since the moment began. */
  messages: number;
}

export class Sampling {
  #streams: ReadonlyMap<string, Stream> = new Map();
  #answeredAt = Number.NEGATIVE_INFINITY;

  /** Begins with the pause of these filters, each with a minimum length; other filters do not change. */
  begin(pauses: ReadonlyMap<string, number>, now: number): void {
    this.#streams = new Map(
      [...pauses].map(([filter, pauseMs]) => [
        filter,
        { pauseMs, listenMs: SHORTEST_LISTEN_MS, isPaused: true, since: now, messages: 1 } satisfies Stream,
      ]),
    );
  }

  /** A message of a filter has arrived. */
  noteMessage(filter: string): void {
    const stream = this.#streams.get(filter);
    if (stream !== undefined) stream.messages++;
  }

  /** The broker has answered the question of that time, after all messages that waited then. */
  noteAnswer(askedAt: number): void {
    this.#answeredAt = askedAt;
  }

  /** The filters that are paused now. */
  pausedAt(now: number): ReadonlySet<string> {
    for (const stream of this.#streams.values()) this.#advance(stream, now);
    return new Set([...this.#streams].filter(([, { isPaused }]) => isPaused).map(([filter]) => filter));
  }

  #advance(stream: Stream, now: number): void {
    const { isPaused, since, listenMs, pauseMs } = stream;
    const isOver = isPaused ? now - since >= pauseMs && this.#answeredAt >= since : now - since >= listenMs;
    if (!isOver) return;
    if (isPaused) {
      // All messages of the last moment have arrived.
      if (stream.messages === 0) stream.listenMs = Math.min(LONGEST_LISTEN_MS, 2 * listenMs);
      stream.messages = 0;
    }
    stream.isPaused = !isPaused;
    stream.since = now;
  }
}
