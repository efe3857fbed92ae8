/** The AIS report on its topic: what it hears and when it speaks. */
import { type Read, steadyDecoderOf } from "../n2k/decode.ts";
import type { Definition } from "../n2k/field.ts";
import { onceEach } from "../n2k/once-each.ts";
import { type AisMessage, aisPgns } from "../nav/ais-messages.ts";
import { AisReporter } from "../nav/ais-reporter.ts";
import type { NavigationData } from "../nav/report.ts";
import type { Stream } from "../ports/publisher.ts";
import { type Listener, listenersOf, type Report } from "./report.ts";

const readerOf = onceEach((definition) => steadyDecoderOf(definition) as Read<unknown> as Read<AisMessage>);

export class AisTopic implements Report {
  /** By PGN. */
  readonly listeners: ReadonlyMap<number, Listener>;
  readonly #reporter = new AisReporter();
  readonly #stream: Stream;
  readonly #navigation: () => NavigationData;

  /** Own ship is where `navigation` says it is. */
  constructor(stream: Stream, navigation: () => NavigationData) {
    this.#stream = stream;
    this.#navigation = navigation;
    const readers = aisPgns.map((definition: Definition) => [definition.pgn, readerOf(definition)] as const);
    this.listeners = listenersOf(readers, this.#reporter);
  }

  get due(): number {
    return this.#reporter.due();
  }

  setOwnMmsi(mmsi: number | undefined): void {
    this.#reporter.setOwnMmsi(mmsi);
  }

  advance(now: number, wall: number): void {
    const { position, speed_course: course } = this.#navigation();
    const { latitude, longitude } = position ?? {};
    const own =
      latitude === undefined || longitude === undefined
        ? undefined
        : { latitude, longitude, cog: course?.cog, sog: course?.sog };
    if (this.#reporter.advance(now, wall, own, this.#stream.begin())) this.#stream.end();
  }
}
