/**
 * The AIS report as a function of messages and time: hears the messages of `aisPgns`, and tells when a report is due
 * and what it says.
 *
 * Time comes in with each message and each question: monotonic milliseconds that never run back for ages, limits and rates,
 * the wall clock only for the stamps.
 */
import type { AisMessage } from "./ais-messages.ts";
import { aisData, aisMessage, type OwnShip } from "./ais-report.ts";
import { type AisCounters, AisTargets, type Heard } from "./ais-targets.ts";

/** Milliseconds from one report to the next when something has changed, and when nothing has. */
const SOONEST = 1_000;
const LATEST = 10_000;

export class AisReporter {
  readonly #targets = new AisTargets();
  /** Whether a target was heard since the last look. */
  #isHeard = false;
  /** What the last report said. */
  #data = "";
  #reportedAt = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** Takes a message in; keeps nothing of `heard`. */
  hear(message: AisMessage, heard: Heard): void {
    if (this.#targets.hear(message, heard)) this.#isHeard = true;
  }

  /** Own ship's number from the settings; undefined when they name none. */
  setOwnMmsi(mmsi: number | undefined): void {
    this.#targets.setOwnMmsi(mmsi);
  }

  /** When to call `advance` next. Own ship and age change the report unheard, so there is a look every second. */
  due(): number {
    return (this.#isHeard ? this.#reportedAt : this.#lookedAt) + SOONEST;
  }

  /** The report when it is due: a second after the last if it says something else, ten seconds after it if not. */
  advance(now: number, wall: number, own: OwnShip | undefined): string | undefined {
    if (now < this.due()) return undefined;
    const data = this.#look(now, own);
    return data !== this.#data || now >= this.#reportedAt + LATEST ? this.#tell(data, now, wall) : undefined;
  }

  /** The report, due or not; JSON text of the whole message. */
  report(now: number, wall: number, own: OwnShip | undefined): string {
    return this.#tell(this.#look(now, own), now, wall);
  }

  counters(): AisCounters {
    return this.#targets.counters();
  }

  #look(now: number, own: OwnShip | undefined): string {
    this.#lookedAt = now;
    this.#isHeard = false;
    this.#targets.forget(now);
    return aisData(this.#targets.inOrder(), own);
  }

  #tell(data: string, now: number, wall: number): string {
    this.#data = data;
    this.#reportedAt = now;
    return aisMessage(data, wall);
  }
}
