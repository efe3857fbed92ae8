/** The topic of the AIS report. */
import { exactDecodersOf } from "../../core/n2k/decode.ts";
import { type AisMessage, aisPgns } from "../../core/nav/ais-messages.ts";
import { AisReporter } from "../../core/nav/ais-reporter.ts";
import type { Approach } from "../../core/nav/ais-targets.ts";
import { type OwnShip, ownShipOf } from "../../core/nav/own-ship.ts";
import type { Stream } from "../../core/ports/publisher.ts";
import { entries } from "../../core/settings/entries.ts";
import type { Boat, KnownShips } from "./boat.ts";
import { listenersOf, type Part, uses } from "./part.ts";

export class AisTopic implements Part, KnownShips {
  readonly knows = { ships: this };
  readonly listens;
  readonly settings = [uses(entries.navigation, ({ ownMmsi }) => this.#reporter.setOwnMmsi(ownMmsi))];
  readonly sources = new Set<number>();
  reports = 0;
  readonly #boat: Boat;
  readonly #reporter = new AisReporter();
  readonly #stream: Stream;

  constructor(boat: Boat) {
    this.#boat = boat;
    this.#stream = boat.publisher.stream(boat.topics.ais());
    this.listens = listenersOf(exactDecodersOf<AisMessage>(aisPgns), (message, packet) => {
      this.sources.add(packet.source);
      this.#reporter.hear(message, packet);
    });
  }

  get due(): number {
    return this.#reporter.due();
  }

  get approaches(): readonly Readonly<Approach>[] {
    return this.#reporter.approaches;
  }

  get ownMmsis(): readonly number[] {
    return this.#reporter.ownMmsis;
  }

  get text(): string {
    return this.#reporter.latest;
  }

  advance(now: number, wall: number): void {
    const own = (): OwnShip | undefined => ownShipOf(this.#boat.navigation.latest?.data ?? {});
    if (!this.#reporter.advance(now, wall, own, this.#stream.open())) {
      this.#stream.discard();
      return;
    }
    this.#stream.commit();
    this.reports++;
  }
}
