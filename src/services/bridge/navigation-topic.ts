/** The topic of the navigation report. */
import { createNavigatorReaders } from "../../core/nav/messages.ts";
import { type NavigationData, type NavigationReport, navigationReport } from "../../core/nav/navigation-report.ts";
import { Navigator, type NavigatorOptions, type ReceiverFix } from "../../core/nav/navigator.ts";
import type { NavigationSettings } from "../../core/nav/settings.ts";
import type { Stream } from "../../core/ports/publisher.ts";
import { writerOf } from "../../core/report/write.ts";
import { type Listener, listenersOf, type Report } from "./report.ts";

const writeReport = writerOf(navigationReport);

/** Called with each report, the monotonic time and the timestamp, both in milliseconds. */
export type OnNavigation = (report: NavigationReport, now: number, wall: number) => void;

export class NavigationTopic implements Report {
  /** Listeners by PGN. */
  readonly listeners: ReadonlyMap<number, Listener>;
  readonly #navigator: Navigator;
  readonly #stream: Stream;
  readonly #onReport: OnNavigation;
  #latest: NavigationData = {};

  constructor(stream: Stream, options: NavigatorOptions, onReport: OnNavigation) {
    this.#stream = stream;
    this.#onReport = onReport;
    this.#navigator = new Navigator(options);
    this.listeners = listenersOf(createNavigatorReaders(), this.#navigator);
  }

  /** Data of the last report, not rounded. */
  get latest(): NavigationData {
    return this.#latest;
  }

  get due(): number {
    return this.#navigator.due();
  }

  /** See `Navigator.timeOnBus`. */
  timeOnBus(now: number): number | undefined {
    return this.#navigator.timeOnBus(now);
  }

  /** See `Navigator.receivers`. */
  receivers(now: number): readonly ReceiverFix[] {
    return this.#navigator.receivers(now);
  }

  /** See `Navigator.sounderHeardAt`. */
  get sounderHeardAt(): number | undefined {
    return this.#navigator.sounderHeardAt;
  }

  configure(settings: NavigationSettings): void {
    this.#navigator.configure(settings);
  }

  advance(now: number, wall: number): void {
    if (now < this.due) return;
    const report = this.#navigator.report(now, wall);
    this.#latest = report.data;
    writeReport(this.#stream.open(), report);
    this.#stream.commit();
    this.#onReport(report, now, wall);
  }
}
