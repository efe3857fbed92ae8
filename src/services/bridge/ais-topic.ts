/** The topic of the AIS report. */
import { exactDecodersOf } from "../../core/n2k/decode.ts";
import { type AisMessage, aisPgns } from "../../core/nav/ais-messages.ts";
import { AisReporter } from "../../core/nav/ais-reporter.ts";
import { type OwnShip, ownShipOf } from "../../core/nav/own-ship.ts";
import type { Stream } from "../../core/ports/publisher.ts";
import { entries } from "../../core/settings/entries.ts";
import type { Boat } from "./boat.ts";
import { listenersOf, type Part, uses } from "./part.ts";

export class AisTopic implements Part {
  readonly #boat: Boat;
  readonly #reporter = new AisReporter();
  readonly #stream: Stream;
  readonly knows = { ships: this.#reporter };
  readonly listens;
  readonly settings = [uses(entries.navigation, ({ ownMmsi }) => this.#reporter.setOwnMmsi(ownMmsi))];

  constructor(boat: Boat) {
    this.#boat = boat;
    this.#stream = boat.publisher.stream(boat.topics.ais());
    this.listens = listenersOf(exactDecodersOf<AisMessage>(aisPgns), (message, packet) =>
      this.#reporter.hear(message, packet),
    );
  }

  get due(): number {
    return this.#reporter.due();
  }

  advance(now: number, wall: number): void {
    const own = (): OwnShip | undefined => ownShipOf(this.#boat.navigation.latest?.data ?? {});
    if (this.#reporter.advance(now, wall, own, this.#stream.open())) this.#stream.commit();
    else this.#stream.discard();
  }
}
