/** Logs losses once a minute when there are new ones, and all counters at the end. */
import type { Log, LogFields } from "../../../core/ports/log.ts";
import type { PacketSource } from "../../../core/ports/packet-source.ts";
import type { Publisher } from "../../../core/ports/publisher.ts";
import { sum } from "../../../core/util/sum.ts";
import type { Bridge } from "../bridge.ts";

export interface LossReporterOptions {
  readonly source: Pick<PacketSource, "counters">;
  readonly bridge: Pick<Bridge, "counters">;
  readonly publisher: Pick<Publisher, "counters">;
  readonly log: Log;
}

const INTERVAL_MS = 60_000;

type Counts = Readonly<Record<string, number>>;

/** The counts that have grown, by how much. */
const growth = (before: Counts, now: Counts): Counts =>
  Object.fromEntries(
    Object.entries(now)
      .map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
      .filter(([, more]) => more !== 0),
  );

export class LossReporter {
  readonly #options: LossReporterOptions;
  #due = Number.NEGATIVE_INFINITY;
  #logged: Counts = {};

  constructor(options: LossReporterOptions) {
    this.#options = options;
  }

  /** Logs the counts that have grown since the last line, at most once a minute; `now` is monotonic, milliseconds. */
  advance(now: number): void {
    if (now < this.#due) return;
    this.#due = now + INTERVAL_MS;
    const losses = this.#losses();
    const more = growth(this.#logged, losses);
    if (Object.keys(more).length > 0) {
      this.#options.log.warn("frames or packets were lost in the last minute", { code: "LOSSES", ...more });
    }
    this.#logged = losses;
  }

  /** Logs all counters. */
  finish(): void {
    const { source, bridge, log } = this.#options;
    const { frames, packets } = source.counters();
    const { published, unknown, busLoadPercent } = bridge.counters();
    const fields: LogFields = {
      frames,
      packets: sum(Object.values(packets)),
      published,
      unknown,
      ...(busLoadPercent !== undefined && { busLoadPercent }),
      ...growth({}, this.#losses()),
    };
    log.info("counted", fields);
  }

  /** The counts that stay at zero while there is no fault. */
  #losses(): Counts {
    const { source, bridge, publisher } = this.#options;
    const { ignored, lost, discarded, malformed } = source.counters();
    const { error, ...withoutPgn } = ignored;
    const { decodeErrors: failed, notSent, refusedByPgn, networks = [] } = bridge.counters();
    return {
      errorFrames: error,
      ...withoutPgn,
      lostInKernel: lost.kernel,
      lostInRing: lost.ring,
      ...discarded,
      malformed,
      failed,
      notSent,
      ...Object.fromEntries([...refusedByPgn].map(([pgn, count]) => [`refused${pgn}`, count])),
      dropped: publisher.counters().dropped,
      // The first address of a further network tells it apart.
      ...Object.fromEntries(
        networks.flatMap(({ firstAddr, framesLost, packetsDiscarded, malformed: itsMalformed }) => [
          [`lost${firstAddr}`, framesLost],
          [`discarded${firstAddr}`, packetsDiscarded],
          [`malformed${firstAddr}`, itsMalformed],
        ]),
      ),
    };
  }
}
