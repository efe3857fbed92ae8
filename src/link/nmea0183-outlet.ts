/** NMEA 0183 as an outlet. */
import { Nmea0183Encoder, nmea0183Pgns } from "../nmea0183/encoder.ts";
import type { Heard, Outlet } from "./outlet.ts";

/** A destination of lines: a server with its clients, or datagrams. */
export interface LineSink {
  /** Sends whole lines with their line ends; never waits. */
  send(lines: string): void;
  close(): void;
}

export class Nmea0183Outlet implements Outlet {
  readonly topics = ["navigation"] as const;
  readonly pgns = nmea0183Pgns;
  readonly #encoder = new Nmea0183Encoder();
  readonly #sinks: readonly LineSink[];

  constructor(sinks: readonly LineSink[]) {
    this.#sinks = sinks;
  }

  hear(heard: Heard): void {
    // A retained message may be of any age, and none of these topics has any.
    if (heard.isRetained) return;
    const lines = this.#linesOf(heard);
    if (lines !== "") for (const sink of this.#sinks) sink.send(lines);
  }

  forget(): void {
    this.#encoder.forget();
  }

  close(): void {
    for (const sink of this.#sinks) sink.close();
  }

  #linesOf(heard: Heard): string {
    if (heard.topic === "navigation") return this.#encoder.navigation(heard.message.data, heard.receivedMs);
    if (heard.topic === "pgn") return this.#encoder.pgn(heard.pgn, heard.address, heard.message.data, heard.receivedMs);
    return "";
  }
}
