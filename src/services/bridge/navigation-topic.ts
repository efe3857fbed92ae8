/** The topic of the navigation report. */
import { createNavigatorReaders } from "../../core/nav/messages.ts";
import { type NavigationReport, navigationReport } from "../../core/nav/navigation-report.ts";
import { Navigator, type OtherSounder, type ReceiverFix, type SounderInUse } from "../../core/nav/navigator.ts";
import type { Stream } from "../../core/ports/publisher.ts";
import { writerOf } from "../../core/report/write.ts";
import { entries } from "../../core/settings/entries.ts";
import type { Boat, KnownNavigation } from "./boat.ts";
import type { BridgeOptions } from "./options.ts";
import { listenersOf, type Part, uses } from "./part.ts";

const writeReport = writerOf(navigationReport);

export class NavigationTopic implements Part, KnownNavigation {
  readonly knows = { navigation: this };
  readonly listens;
  readonly settings = [uses(entries.navigation, (settings) => this.#navigator.configure(settings))];
  readonly #navigator: Navigator;
  readonly #stream: Stream;
  latest: NavigationReport | undefined;

  constructor(boat: Boat, { notBefore = 0, magneticModel }: Pick<BridgeOptions, "notBefore" | "magneticModel">) {
    this.#stream = boat.publisher.stream(boat.topics.navigation(), { important: true });
    this.#navigator = new Navigator({
      namesOf: (name) => boat.devices.namesOf(name),
      modelOf: (name) => boat.devices.modelOf(name),
      notBefore,
      magneticModel,
    });
    this.listens = listenersOf(createNavigatorReaders(), (message, packet) => this.#navigator.hear(message, packet));
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

  /** See `Navigator.otherSounders`. */
  otherSounders(now: number): readonly OtherSounder[] {
    return this.#navigator.otherSounders(now);
  }

  /** See `Navigator.gust`. */
  gust(now: number): number {
    return this.#navigator.gust(now);
  }

  /** See `Navigator.sounderInUse`. */
  get sounderInUse(): SounderInUse | undefined {
    return this.#navigator.sounderInUse;
  }

  /** See `Navigator.sounderHeardAt`. */
  get sounderHeardAt(): number | undefined {
    return this.#navigator.sounderHeardAt;
  }

  advance(now: number, wall: number): void {
    if (now < this.due) return;
    this.latest = this.#navigator.report(now, wall);
    writeReport(this.#stream.open(), this.latest);
    this.#stream.commit();
  }
}
