/** NMEA 0183 as an outlet. */

import type { Clock } from "../../core/ports/clock.ts";
import type { DataOf } from "../../core/topics/read-message.ts";
import { Nmea0183Encoder, nmea0183Pgns } from "../../formats/nmea0183/encoder.ts";
import { ownMark } from "../../formats/nmea0183/input/own.ts";
import { AisRanges, type Lines, type Selection, selected } from "../../formats/nmea0183/selection.ts";
import type { Heard, Outlet } from "./outlet.ts";

export { nmea0183Ids } from "../../formats/nmea0183/encoder.ts";
export { ownMark } from "../../formats/nmea0183/input/own.ts";
export type { Selection } from "../../formats/nmea0183/selection.ts";

/** A destination of lines: a server with its clients, or datagrams. */
export interface LineSink {
  /** Sends whole lines with their line ends; never waits. */
  send(lines: string): void;
  close(): void | Promise<void>;
}

/** A sink, and what of all lines it gets. */
export interface Destination extends Selection {
  readonly sink: LineSink;
}

/**
 * Time for which lines are collected, the period of the fastest sentence, HDG: a write to each of a hundred clients
 * costs more than everything else.
 */
const COLLECT_MS = 100;

/** Time from one mark of hub's own output to the next at a destination, milliseconds. */
const MARK_EVERY_MS = 1000;

export class Nmea0183Outlet implements Outlet {
  readonly topics = ["navigation", "infos"] as const;
  readonly pgns = nmea0183Pgns;
  readonly #encoder: Nmea0183Encoder;
  readonly #destinations: readonly Destination[];
  /** Present if a destination has a range: each AIS message costs a distance. */
  readonly #ranges: AisRanges | undefined;
  readonly #clock: Pick<Clock, "after">;
  #collected: Lines[] = [];
  /** Monotonic time of the latest message, milliseconds. */
  #heardMs = 0;
  /** The time from which on each destination gets a mark with its next lines. */
  readonly #markFrom = new Map<Destination, number>();
  #cancelSending = (): void => {};

  /** `ownMmsi` as in `Nmea0183Encoder`. */
  constructor(destinations: readonly Destination[], clock: Pick<Clock, "after">, ownMmsi?: number) {
    this.#encoder = new Nmea0183Encoder(ownMmsi);
    this.#destinations = destinations;
    this.#ranges = destinations.some(({ range }) => range !== undefined) ? new AisRanges() : undefined;
    this.#clock = clock;
  }

  hear(heard: Heard): void {
    if (heard.topic === "infos") this.#encoder.names(heard.addr, (heard.message.data as DataOf<"infos">).names);
    // A retained message may have any age; the others are new.
    if (heard.isRetained) return;
    const lines = this.#linesOf(heard);
    if (lines.text === "") return;
    this.#heardMs = heard.receivedMs;
    if (this.#collected.length === 0) this.#cancelSending = this.#clock.after(COLLECT_MS, () => this.#send());
    this.#collected.push(lines);
  }

  courseChanged(): void {
    this.#encoder.forgetCourse();
  }

  forget(): void {
    this.#encoder.forget();
    this.#ranges?.forget();
  }

  async close(): Promise<void> {
    this.#cancelSending();
    await Promise.all(this.#destinations.map(({ sink }) => sink.close()));
  }

  #send(): void {
    const lines = this.#collected;
    this.#collected = [];
    for (const destination of this.#destinations) {
      const text = selected(lines, destination);
      if (text !== "") destination.sink.send(this.#markFor(destination) + text);
    }
  }

  /** A hub-cand to which a multiplexer sends lines of a destination back drops them while the mark is among them. */
  #markFor(destination: Destination): string {
    const now = this.#heardMs;
    const from = this.#markFrom.get(destination);
    if (from !== undefined && now < from) return "";
    this.#markFrom.set(destination, now + MARK_EVERY_MS);
    return ownMark;
  }

  #linesOf(heard: Heard): Lines {
    const { topic, receivedMs } = heard;
    if (topic === "navigation") {
      const { data } = heard.message as { readonly data: DataOf<"navigation"> };
      this.#ranges?.hearOwn(data.position);
      return { text: this.#encoder.navigation(data, receivedMs) };
    }
    if (topic !== "pgn") return { text: "" };
    const { pgn, addr } = heard;
    const { data } = heard.message as { readonly data: Readonly<Record<string, unknown>> };
    return { text: this.#encoder.pgn(pgn, addr, data, receivedMs), range: this.#ranges?.rangeOf(pgn, data) };
  }
}
