/** Faults of parts: counted by part and place, and logged. */
import type { Log } from "../../core/ports/log.ts";
import type { BridgeCounters } from "./counters.ts";

/** A part whose last fault is older has recovered. */
const RECOVERED_AFTER_MS = 300_000;

export class PartFaults {
  readonly #log: Log;
  readonly #clock: () => number;
  readonly #counts: Record<string, Record<string, number>> = {};
  /** Monotonic times of the last faults, milliseconds; negative infinity: before the clock of the bridge began. */
  readonly #failedAt = new Map<string, number>();

  /** `log` limits the rate of its lines; `clock` is the monotonic time of the bridge, milliseconds. */
  constructor(log: Log, clock: () => number) {
    this.#log = log;
    this.#clock = clock;
  }

  /** A part has thrown an error in the method `place`. */
  note(part: string, place: string, error: unknown): void {
    const counts = this.#counts[part] ?? {};
    this.#counts[part] = counts;
    counts[place] = (counts[place] ?? 0) + 1;
    this.#failedAt.set(part, this.#clock());
    this.#log.error(`the part ${part} of the bridge has failed, the others go on`, {
      code: "PART_FAILED",
      place,
      reason: String(error),
      // Read only where the line is written: V8 takes longer to make the text than the parts do for their work.
      get stack() {
        return error instanceof Error ? (error.stack ?? "").split("\n").slice(1, 4).join("; ").trim() : "";
      },
    });
  }

  counters(): Partial<BridgeCounters> {
    return this.#failedAt.size === 0 ? {} : { partFaults: this.#counts };
  }

  /** The parts that have failed lately. */
  failing(): readonly string[] {
    const now = this.#clock();
    for (const [part, at] of this.#failedAt) if (at === Number.NEGATIVE_INFINITY) this.#failedAt.set(part, now);
    return [...this.#failedAt].flatMap(([part, at]) => (now - at < RECOVERED_AFTER_MS ? [part] : []));
  }
}
