/** Faults of parts: counted by part and place, and logged. */
import type { Log } from "../../core/ports/log.ts";
import type { BridgeCounters } from "./options.ts";

/** A part whose last fault is older has recovered. */
const RECOVERED_AFTER_MS = 300_000;

export type FaultCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

export class PartFaults {
  readonly #log: Log;
  readonly #counts: Record<string, Record<string, number>> = {};
  /** Monotonic times of the last faults, milliseconds. */
  readonly #failedAt = new Map<string, number>();

  /** `log` limits the rate of its lines. */
  constructor(log: Log) {
    this.#log = log;
  }

  /** A part has thrown an error in the method `place`. */
  note(part: string, place: string, error: unknown, now: number): void {
    const counts = this.#counts[part] ?? {};
    this.#counts[part] = counts;
    counts[place] = (counts[place] ?? 0) + 1;
    this.#failedAt.set(part, now);
    this.#log.error(`the part ${part} of the bridge has failed, the others go on`, {
      code: "PART_FAILED",
      place,
      reason: String(error),
      stack: error instanceof Error ? (error.stack ?? "").split("\n").slice(1, 4).join("; ").trim() : "",
    });
  }

  counters(): Partial<BridgeCounters> {
    return this.#failedAt.size === 0 ? {} : { partFaults: this.#counts };
  }

  /** The parts that have failed lately, at a monotonic time in milliseconds. */
  failing(now: number): readonly string[] {
    return [...this.#failedAt].flatMap(([part, at]) => (now - at < RECOVERED_AFTER_MS ? [part] : []));
  }
}
