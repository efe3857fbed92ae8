/**
 * The publisher of a replay or a simulation, which leaves nothing behind: it keeps no command for a next start, what it
 * retains expires by itself if nothing ends it, and is removed at its end.
 */
import type { Publisher } from "../../core/ports/publisher.ts";

/** The suffix of commands: those that hub-cand retains are for a start on the boat's own bus. */
const COMMAND = "/set";
/** Expiry of states, which are repeated every thirty seconds; it also tells a state of a replay from the boat's. */
const EXPIRES_SECONDS = 120;

/** `prefix`: the states below it are repeated. */
export function passingPublisher(publisher: Publisher, prefix: string): Publisher {
  const retained = new Set<string>();
  const isRepeated = (topic: string): boolean =>
    topic.startsWith(`${prefix}/`) && !topic.startsWith(`${prefix}/every/`);
  return {
    stream: (topic, options) => publisher.stream(topic, options),
    retain(topic, payload, expirySeconds) {
      if (topic.endsWith(COMMAND)) return;
      if (payload === null) retained.delete(topic);
      else retained.add(topic);
      publisher.retain(topic, payload, expirySeconds ?? (isRepeated(topic) ? EXPIRES_SECONDS : undefined));
    },
    flush: () => publisher.flush(),
    drained: () => publisher.drained(),
    counters: () => publisher.counters(),
    get rival() {
      return publisher.rival;
    },
    close() {
      for (const topic of retained) publisher.retain(topic, null);
      retained.clear();
      publisher.flush();
      return publisher.close();
    },
  };
}
