/** The topic of the AIS report. */
import { exactDecoderOf, type Read } from "../n2k/decode.ts";
import type { Definition } from "../n2k/field.ts";
import { type AisMessage, aisPgns } from "../nav/ais-messages.ts";
import { AisReporter } from "../nav/ais-reporter.ts";
import type { Approach } from "../nav/ais-targets.ts";
import type { NavigationData } from "../nav/navigation-report.ts";
import { ownShipOf } from "../nav/own-ship.ts";
import type { Stream } from "../ports/publisher.ts";
import { memoize } from "../util/memoize.ts";
import { type Listener, listenersOf, type Report } from "./report.ts";

const readerOf = memoize((definition: Definition) => exactDecoderOf(definition) as Read<unknown> as Read<AisMessage>);

export class AisTopic implements Report {
  /** By PGN. */
  readonly listeners: ReadonlyMap<number, Listener>;
  readonly #reporter = new AisReporter();
  readonly #stream: Stream;
  readonly #navigation: () => NavigationData;

  /** `navigation` gives the data of the last navigation report, for own ship. */
  constructor(stream: Stream, navigation: () => NavigationData) {
    this.#stream = stream;
    this.#navigation = navigation;
    const readers = aisPgns.map((definition: Definition) => [definition.pgn, readerOf(definition)] as const);
    this.listeners = listenersOf(readers, this.#reporter);
  }

  get due(): number {
    return this.#reporter.due();
  }

  /** The targets at `now` (monotonic, milliseconds), as seen from own ship. */
  approaches(now: number): readonly Readonly<Approach>[] {
    return this.#reporter.approaches(now);
  }

  setOwnMmsi(mmsi: number | undefined): void {
    this.#reporter.setOwnMmsi(mmsi);
  }

  advance(now: number, wall: number): void {
    const own = ownShipOf(this.#navigation());
    if (this.#reporter.advance(now, wall, own, this.#stream.open())) this.#stream.commit();
    else this.#stream.discard();
  }
}
