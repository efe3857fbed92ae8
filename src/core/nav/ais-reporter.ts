/**
 * The AIS report as a function of messages and time: its text, and the time at which it is due.
 *
 * Time is an argument of each call: monotonic milliseconds that never run back for ages, limits and rates, the wall
 * clock only for timestamps.
 */

import { createMetadataWriter, DATA } from "../report/envelope.ts";
import { AIS_REPEAT_MS } from "../report/timing.ts";
import { AsciiBuffer } from "../text/ascii-buffer.ts";
import type { AisMessage } from "./ais-messages.ts";
import { writeAisData } from "./ais-report-writer.ts";
import { type AisCounters, AisTargets, type Approach, type Heard, type Track } from "./ais-targets.ts";
import type { OwnShip } from "./own-ship.ts";

/** Time from one report to the next when something has changed, and when nothing has. */
const MIN_INTERVAL_MS = 1_000;

export class AisReporter {
  readonly #targets = new AisTargets();
  readonly #writeMetadata = createMetadataWriter();
  /** Tracks in the last report, by MMSI; another list after one has been added or removed. */
  #tracks: readonly Track[] = [];
  /** The targets as they were seen from own ship when `advance` or `report` last wrote them, a second ago at most. */
  approaches: readonly Readonly<Approach>[] = [];
  /** Addresses that have sent AIS, and the number of reports so far. */
  readonly sources = new Set<number>();
  reports = 0;
  readonly #lastData = new AsciiBuffer();
  #lastReport = Number.NEGATIVE_INFINITY;
  /** Monotonic time at which the data was last compared with that of the last report. */
  #lastCheck = Number.NEGATIVE_INFINITY;
  /** Whether a message of a target has been received since then. */
  #hasNews = false;

  /** Takes a message; keeps no reference to `heard`. */
  hear(message: AisMessage, heard: Heard): void {
    if (heard.source !== undefined) this.sources.add(heard.source);
    if (this.#targets.hear(message, heard)) this.#hasNews = true;
  }

  get ownMmsis(): readonly number[] {
    return this.#targets.ownMmsis;
  }

  /** MMSI of own ship in the settings; undefined when they have none. */
  setOwnMmsi(mmsi: number | undefined): void {
    this.#targets.setOwnMmsi(mmsi);
  }

  /**
   * The time at which to call `advance` next. Own ship and ages change the report without a message, so it is checked
   * every second.
   */
  due(): number {
    return (this.#hasNews ? this.#lastReport : this.#lastCheck) + MIN_INTERVAL_MS;
  }

  /**
   * Appends the report to `out` when it is due: a second after the last one if its data has changed, otherwise after
   * ten seconds. Returns false when it is not due; the caller must then discard the appended text.
   */
  advance(now: number, wall: number, own: () => OwnShip | undefined, out: AsciiBuffer): boolean {
    if (now < this.due()) return false;
    const begin = this.#writeData(now, own(), out);
    if (now < this.#lastReport + AIS_REPEAT_MS && out.endsWith(this.#lastData, begin)) return false;
    this.#finish(now, wall, out, begin);
    return true;
  }

  /** Appends the report to `out`, due or not. */
  report(now: number, wall: number, own: OwnShip | undefined, out: AsciiBuffer): void {
    this.#finish(now, wall, out, this.#writeData(now, own, out));
  }

  /** Data of the last report, as JSON text. */
  get text(): string {
    return this.#lastData.text();
  }

  counters(): AisCounters {
    return this.#targets.counters();
  }

  /** Returns the position of the data in `out`. */
  #writeData(now: number, own: OwnShip | undefined, out: AsciiBuffer): number {
    this.#lastCheck = now;
    this.#hasNews = false;
    out.write(DATA);
    const begin = out.at;
    const tracks = this.#targets.current(now);
    if (tracks !== this.#tracks) this.approaches = tracks.map(({ target }) => target);
    this.#tracks = tracks;
    writeAisData(out, tracks, own, now);
    return begin;
  }

  #finish(now: number, wall: number, out: AsciiBuffer, begin: number): void {
    this.#lastData.copyFrom(out, begin);
    this.#lastReport = now;
    this.reports++;
    this.#writeMetadata(out, wall);
  }
}
