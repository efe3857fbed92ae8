/** NMEA 0183 as an outlet. */
import { Nmea0183Encoder, nmea0183Pgns } from "../nmea0183/encoder.ts";
import type { Clock } from "../ports/clock.ts";
import type { DataOf } from "../topics/read-message.ts";
import type { Heard, Outlet } from "./outlet.ts";

/** A destination of lines: a server with its clients, or datagrams. */
export interface LineSink {
  /** Sends whole lines with their line ends; never waits. */
  send(lines: string): void;
  close(): void | Promise<void>;
}

/**
 * Time for which lines are collected, the period of the fastest sentence, HDG: a write to each of a hundred clients
 * costs more than everything else.
 */
const COLLECT_MS = 100;

export class Nmea0183Outlet implements Outlet {
  readonly topics = ["navigation", "infos"] as const;
  readonly pgns = nmea0183Pgns;
  readonly #encoder: Nmea0183Encoder;
  readonly #sinks: readonly LineSink[];
  readonly #clock: Pick<Clock, "after">;
  #collected = "";
  #cancelSending = (): void => {};

  /** `ownMmsi` as in `Nmea0183Encoder`. */
  constructor(sinks: readonly LineSink[], clock: Pick<Clock, "after">, ownMmsi?: number) {
    this.#encoder = new Nmea0183Encoder(ownMmsi);
    this.#sinks = sinks;
    this.#clock = clock;
  }

  hear(heard: Heard): void {
    if (heard.topic === "infos") this.#encoder.names(heard.addr, (heard.message.data as DataOf<"infos">).names);
    // A retained message may have any age; the others are new.
    if (heard.isRetained) return;
    const lines = this.#linesOf(heard);
    if (lines === "") return;
    if (this.#collected === "") this.#cancelSending = this.#clock.after(COLLECT_MS, () => this.#send());
    this.#collected += lines;
  }

  forget(): void {
    this.#encoder.forget();
  }

  async close(): Promise<void> {
    this.#cancelSending();
    await Promise.all(this.#sinks.map((sink) => sink.close()));
  }

  #send(): void {
    const lines = this.#collected;
    this.#collected = "";
    for (const sink of this.#sinks) sink.send(lines);
  }

  #linesOf(heard: Heard): string {
    if (heard.topic === "navigation") return this.#encoder.navigation(heard.message.data, heard.receivedMs);
    if (heard.topic === "pgn") return this.#encoder.pgn(heard.pgn, heard.addr, heard.message.data, heard.receivedMs);
    return "";
  }
}
