/**
 * Fast streams heard in samples, where the link carries no more: asked for during a moment, then during a pause not, which lasts until
 * nothing waits on the way. Pure. Times are monotonic milliseconds.
 */

/** Long enough for a message of each device of a fast stream; doubled for a stream of which none came, up to the second. */
const [SHORTEST_LISTEN_MS, LONGEST_LISTEN_MS] = [200, 1200];

interface Stream {
  readonly pauseMs: number;
  listenMs: number;
  isPaused: boolean;
  /** When the moment or the pause began. */
  since: number;
  /** Since the moment began. */
  messages: number;
}

export class Sampling {
  #streams: ReadonlyMap<string, Stream> = new Map();
  #answeredAt = Number.NEGATIVE_INFINITY;

  /** Begins with the pause of these filters, of at least so long each; others are left alone. */
  begin(pauses: ReadonlyMap<string, number>, now: number): void {
    this.#streams = new Map(
      [...pauses].map(([filter, pauseMs]) => [
        filter,
        { pauseMs, listenMs: SHORTEST_LISTEN_MS, isPaused: true, since: now, messages: 1 } satisfies Stream,
      ]),
    );
  }

  /** A message of a filter has arrived. */
  hear(filter: string): void {
    const stream = this.#streams.get(filter);
    if (stream !== undefined) stream.messages++;
  }

  /** The broker has answered what was asked at that time, behind all that waited then. */
  answered(askedAt: number): void {
    this.#answeredAt = askedAt;
  }

  /** The filters that are not asked for now. */
  pausedAt(now: number): ReadonlySet<string> {
    for (const stream of this.#streams.values()) this.#advance(stream, now);
    return new Set([...this.#streams].filter(([, { isPaused }]) => isPaused).map(([filter]) => filter));
  }

  #advance(stream: Stream, now: number): void {
    const { isPaused, since, listenMs, pauseMs } = stream;
    const isOver = isPaused ? now - since >= pauseMs && this.#answeredAt >= since : now - since >= listenMs;
    if (!isOver) return;
    if (isPaused) {
      // All of the last moment has come.
      if (stream.messages === 0) stream.listenMs = Math.min(LONGEST_LISTEN_MS, 2 * listenMs);
      stream.messages = 0;
    }
    stream.isPaused = !isPaused;
    stream.since = now;
  }
}
