/**
 * The AIS report as a function of messages and time: hears the messages of `aisPgns`, and tells when a report is due
 * and what it says.
 *
 * Time comes in with each message and each question: monotonic milliseconds that never run back for ages, limits and rates,
 * the wall clock only for the stamps.
 */
import { AsciiBuffer, pieceOf } from "../n2k/ascii-buffer.ts";
import type { AisMessage } from "./ais-messages.ts";
import { type OwnShip, writeAisData, writeAisMetadata } from "./ais-report.ts";
import { type AisCounters, AisTargets, type Heard } from "./ais-targets.ts";

/** Milliseconds from one report to the next when something has changed, and when nothing has. */
const SOONEST = 1_000;
const LATEST = 10_000;

const DATA = pieceOf('{"data":');

export class AisReporter {
  readonly #targets = new AisTargets();
  /** Whether a target was heard since the last look. */
  #isHeard = false;
  /** What the last report said. */
  readonly #data = new AsciiBuffer();
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

  /**
   * Writes the report to the end of `out` when it is due: a second after the last if it says something else, ten seconds
   * after it if not. False when it is not; what was written then says nothing.
   */
  advance(now: number, wall: number, own: OwnShip | undefined, out: AsciiBuffer): boolean {
    if (now < this.due()) return false;
    const begin = this.#look(now, own, out);
    if (now < this.#reportedAt + LATEST && out.endsWith(this.#data, begin)) return false;
    this.#tell(now, wall, out, begin);
    return true;
  }

  /** Writes the report, due or not: the whole message as JSON text. */
  report(now: number, wall: number, own: OwnShip | undefined, out: AsciiBuffer): void {
    this.#tell(now, wall, out, this.#look(now, own, out));
  }

  counters(): AisCounters {
    return this.#targets.counters();
  }

  /** Writes `data`; gives where it begins. */
  #look(now: number, own: OwnShip | undefined, out: AsciiBuffer): number {
    this.#lookedAt = now;
    this.#isHeard = false;
    this.#targets.forget(now);
    out.put(DATA);
    const begin = out.at;
    writeAisData(out, this.#targets.inOrder(), own);
    return begin;
  }

  #tell(now: number, wall: number, out: AsciiBuffer, begin: number): void {
    this.#data.take(out, begin);
    this.#reportedAt = now;
    writeAisMetadata(out, wall);
  }
}
