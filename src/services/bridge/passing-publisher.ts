/**
 * The publisher of a replay or a simulation, which leaves nothing behind: it keeps nothing for a next start, what it
 * retains expires by itself if nothing ends it, and is removed at its end.
 */
import type { Clock } from "../../core/ports/clock.ts";
import type { Publisher } from "../../core/ports/publisher.ts";
import { type Topic, topicReader, topics } from "../../core/topics/topics.ts";

/** Expiry of states; it also tells a state of a replay from the boat's. */
const EXPIRES_SECONDS = 120;
/** Interval at which states that the bridge does not repeat are retained again. */
const REPEAT_MS = 30_000;

/** `prefix`: topics below it that hub-cand itself reads are left out, because a start on the boat's bus believes them. */
export function passingPublisher(publisher: Publisher, prefix: string, clock: Pick<Clock, "monotonic">): Publisher {
  const read = topicReader(prefix);
  /** Payloads of the retained topics; undefined: the bridge repeats it. */
  const retained = new Map<string, string | undefined>();
  let repeatAt = Number.NEGATIVE_INFINITY;
  const repeat = (): void => {
    const now = clock.monotonic();
    if (now < repeatAt) return;
    repeatAt = now + REPEAT_MS;
    for (const [topic, payload] of retained)
      if (payload !== undefined) publisher.retain(topic, payload, EXPIRES_SECONDS);
  };
  return {
    isPassing: true,
    stream: (topic, options) => publisher.stream(topic, options),
    retain(topic, payload, expirySeconds) {
      const place = read(topic);
      const known: Topic | undefined = place && topics[place.topic];
      if (known?.received) return;
      const isRepeated = expirySeconds !== undefined || known?.repeatMs !== undefined;
      if (payload === null) retained.delete(topic);
      else retained.set(topic, isRepeated ? undefined : payload);
      publisher.retain(topic, payload, expirySeconds ?? EXPIRES_SECONDS);
    },
    flush() {
      repeat();
      publisher.flush();
    },
    drained: () => publisher.drained(),
    counters: () => publisher.counters(),
    get rival() {
      return publisher.rival;
    },
    close() {
      for (const topic of retained.keys()) publisher.retain(topic, null);
      retained.clear();
      publisher.flush();
      return publisher.close();
    },
  };
}
