/** The navigation report on its topic: what the navigator hears and when it speaks. */
import type { Read } from "../n2k/decode.ts";
import { createNavigatorReaders, type NavigatorMessage } from "../nav/messages.ts";
import { createNavigator, type Navigator, type NavigatorOptions } from "../nav/navigator.ts";
import type { NavigationData } from "../nav/report.ts";
import { writeNavigation } from "../nav/report-text.ts";
import type { NavigationSettings } from "../nav/settings.ts";
import type { Stream } from "../ports/publisher.ts";
import type { Packet } from "./packet-batch.ts";
import type { Report } from "./report.ts";

export class NavigationTopic implements Report {
  readonly #navigator: Navigator;
  readonly #stream: Stream;
  readonly #readers: ReadonlyMap<number, Read<NavigatorMessage>> = createNavigatorReaders();
  #latest: NavigationData = {};

  constructor(stream: Stream, options: NavigatorOptions) {
    this.#stream = stream;
    this.#navigator = createNavigator(options);
  }

  /** PGNs that are to be heard. */
  get pgns(): Iterable<number> {
    return this.#readers.keys();
  }

  /** What the last report said. */
  get latest(): NavigationData {
    return this.#latest;
  }

  get due(): number {
    return this.#navigator.due;
  }

  configure(settings: NavigationSettings): void {
    this.#navigator.configure(settings);
  }

  hear(packet: Packet): void {
    const { bytes, at, end, source, pgn } = packet;
    this.#navigator.hear(this.#readers.get(pgn)!(bytes, at, end, source), packet);
  }

  advance(now: number, wall: number): void {
    if (now < this.due) return;
    const report = this.#navigator.report(now, wall);
    this.#latest = report.data;
    writeNavigation(this.#stream.begin(), report);
    this.#stream.end();
  }
}
