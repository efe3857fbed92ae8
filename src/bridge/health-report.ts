/**
 * How bus and bridge are, on a topic of its own every 30 seconds. What was told last stays there when the daemon is gone:
 * it is stale by its `expireAfterSec` then, and the identity says at once that nobody is there.
 *
 * Where everything is to be the same each time, the counters of a recording are so at its end only, since it is read ahead
 * of its packets; the report is then made once, by `finish`.
 */
import type { Publisher } from "../ports/publisher.ts";
import { createEnvelope } from "./envelope.ts";
import { type BridgeVitals, type Health, healthOf, type Vitals } from "./health.ts";
import type { Report } from "./report.ts";

/** How soon for the first time, and how often, milliseconds. */
const FIRST = 1000;
const REPEAT = 30_000;

export interface HealthReportOptions {
  readonly topic: string;
  readonly publisher: Publisher;
  readonly vitals: Vitals;
  readonly bridge: () => BridgeVitals;
}

export class HealthReport implements Report {
  readonly #options: HealthReportOptions;
  readonly #envelope = createEnvelope();
  #began: number | undefined;
  #due = Number.NEGATIVE_INFINITY;

  constructor(options: HealthReportOptions) {
    this.#options = options;
  }

  get due(): number {
    return this.#due;
  }

  advance(now: number, wall: number): void {
    if (now < this.#due) return;
    const isFirst = this.#began === undefined;
    this.#began ??= now;
    if (this.#options.vitals.machine === undefined) {
      this.#due = Number.POSITIVE_INFINITY;
      return;
    }
    this.#due = now + (isFirst ? FIRST : REPEAT);
    if (!isFirst) this.#publish(now, wall);
  }

  /** Tells it once more, as the last thing. */
  finish(now: number, wall: number): void {
    this.#publish(now, wall);
  }

  /** How it is at a monotonic time, milliseconds. */
  health(now: number): Health {
    const { bridge, vitals } = this.#options;
    return healthOf(Math.floor((now - (this.#began ?? now)) / 1000), bridge(), vitals);
  }

  #publish(now: number, wall: number): void {
    const { publisher, topic } = this.#options;
    publisher.retain(topic, this.#envelope(JSON.stringify(this.health(now)), wall));
  }
}
