/** The navigation report on its topic: what the navigator hears and when it speaks. */
import type { Read } from "../n2k/decode.ts";
import { createNavigatorReaders, type NavigatorMessage } from "../nav/messages.ts";
import { createNavigator, type Navigator, type NavigatorOptions } from "../nav/navigator.ts";
import type { NavigationData } from "../nav/report.ts";
import { writeNavigation } from "../nav/report-text.ts";
import type { NavigationSettings } from "../nav/settings.ts";
import type { Stream } from "../ports/publisher.ts";
import type { Listener, Report } from "./report.ts";

export class NavigationTopic implements Report {
  /** By PGN. */
  readonly listeners: ReadonlyMap<number, Listener>;
  readonly #navigator: Navigator;
  readonly #stream: Stream;
  #latest: NavigationData = {};

  constructor(stream: Stream, options: NavigatorOptions) {
    this.#stream = stream;
    const navigator = createNavigator(options);
    this.#navigator = navigator;
    const listenerOf =
      (read: Read<NavigatorMessage>): Listener =>
      (packet) => {
        navigator.hear(read(packet.bytes, packet.at, packet.end, packet.source), packet);
        return navigator.due();
      };
    this.listeners = new Map([...createNavigatorReaders()].map(([pgn, read]) => [pgn, listenerOf(read)]));
  }

  /** What the last report said. */
  get latest(): NavigationData {
    return this.#latest;
  }

  get due(): number {
    return this.#navigator.due();
  }

  configure(settings: NavigationSettings): void {
    this.#navigator.configure(settings);
  }

  advance(now: number, wall: number): void {
    if (now < this.due) return;
    const report = this.#navigator.report(now, wall);
    this.#latest = report.data;
    writeNavigation(this.#stream.begin(), report);
    this.#stream.end();
  }
}
