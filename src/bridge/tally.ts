/** What was counted, told once a minute when something was lost or given up, and once more at the end. */
import type { Log, LogValues } from "../ports/log.ts";
import type { PacketSource } from "../ports/packet-source.ts";
import type { Publisher } from "../ports/publisher.ts";
import type { Bridge } from "./bridge.ts";

export interface TallyOptions {
  readonly source: PacketSource;
  readonly bridge: Bridge;
  readonly publisher: Publisher;
  readonly log: Log;
}

export interface Tally {
  /** Tells what has grown since the last line, at most once a minute; `now` in monotonic milliseconds. */
  advance(now: number): void;
  /** Tells everything. */
  finish(): void;
}

const INTERVAL = 60_000;

export function createTally({ source, bridge, publisher, log }: TallyOptions): Tally {
  let due = Number.NEGATIVE_INFINITY;
  let told: Readonly<Record<string, number>> = {};

  /** Counts that ought to stay at zero. */
  const troubles = (): Record<string, number> => {
    const { ignored, lost, discarded, malformed } = source.counters();
    const { error, ...withoutPgn } = ignored;
    const { failed, notSent, refused } = bridge.counters();
    return {
      errorFrames: error,
      ...withoutPgn,
      lostInKernel: lost.kernel,
      lostInRing: lost.ring,
      ...discarded,
      malformed,
      failed,
      notSent,
      // Each by its PGN, since that is what the operator may set a switch for.
      ...Object.fromEntries([...refused].map(([pgn, count]) => [`refused${pgn}`, count])),
      dropped: publisher.counters().dropped,
    };
  };
  const grown = (now: Readonly<Record<string, number>>): LogValues =>
    Object.fromEntries(
      Object.entries(now)
        .map(([name, count]) => [name, count - (told[name] ?? 0)] as const)
        .filter(([, growth]) => growth !== 0),
    );

  return {
    advance(now) {
      if (now < due) return;
      due = now + INTERVAL;
      const counts = troubles();
      const news = grown(counts);
      if (Object.keys(news).length > 0) log.warn("lost or given up in the last minute", news);
      told = counts;
    },
    finish() {
      const { frames, packets } = source.counters();
      const { published, unknown, busLoadPercent } = bridge.counters();
      told = {};
      log.info("counted", {
        frames,
        packets: packets.single + packets.fast + packets.isoTp,
        published,
        unknown: [...unknown.values()].reduce((sum, count) => sum + count, 0),
        ...(busLoadPercent !== undefined && { busLoadPercent }),
        ...grown(troubles()),
      });
    },
  };
}
