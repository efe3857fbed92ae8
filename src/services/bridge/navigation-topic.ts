/** The topic of the navigation report. */
import { createNavigatorReaders } from "../../core/nav/messages.ts";
import { navigationReport } from "../../core/nav/navigation-report.ts";
import { Navigator } from "../../core/nav/navigator.ts";
import type { Stream } from "../../core/ports/publisher.ts";
import { writerOf } from "../../core/report/write.ts";
import { entries } from "../../core/settings/entries.ts";
import type { Boat } from "./boat.ts";
import type { BridgeOptions } from "./options.ts";
import { listenersOf, type Part, uses } from "./part.ts";

const writeReport = writerOf(navigationReport);

export class NavigationTopic implements Part {
  readonly knows;
  readonly listens;
  readonly settings = [uses(entries.navigation, (settings) => this.#navigator.configure(settings))];
  readonly #navigator: Navigator;
  readonly #stream: Stream;

  constructor(boat: Boat, { notBefore = 0, magneticModel }: Pick<BridgeOptions, "notBefore" | "magneticModel">) {
    this.#stream = boat.publisher.stream(boat.topics.navigation(), { important: true });
    this.#navigator = new Navigator({
      namesOf: (name) => boat.devices.namesOf(name),
      modelOf: (name) => boat.devices.modelOf(name),
      notBefore,
      magneticModel,
    });
    this.knows = { navigation: this.#navigator };
    this.listens = listenersOf(createNavigatorReaders(), (message, packet) => this.#navigator.hear(message, packet));
  }

  get due(): number {
    return this.#navigator.due();
  }

  advance(now: number, wall: number): void {
    if (now < this.due) return;
    writeReport(this.#stream.open(), this.#navigator.report(now, wall));
    this.#stream.commit();
  }
}
