/** The navigation report on its topic: what the navigator hears and when it speaks. */
import { createNavigatorReaders } from "../nav/messages.ts";
import { createNavigator, type Navigator, type NavigatorOptions } from "../nav/navigator.ts";
import type { NavigationData } from "../nav/report.ts";
import { writeNavigation } from "../nav/report-text.ts";
import type { NavigationSettings } from "../nav/settings.ts";
import type { Stream } from "../ports/publisher.ts";
import { type Listener, listenersOf, type Report } from "./report.ts";

export class NavigationTopic implements Report {
  /** By PGN. */
  readonly listeners: ReadonlyMap<number, Listener>;
  readonly #navigator: Navigator;
  readonly #stream: Stream;
  #latest: NavigationData = {};

  constructor(stream: Stream, options: NavigatorOptions) {
    this.#stream = stream;
    this.#navigator = createNavigator(options);
    this.listeners = listenersOf(createNavigatorReaders(), this.#navigator);
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
