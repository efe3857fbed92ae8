/** The topic of the AIS report. */
import { exactDecodersOf } from "../../core/n2k/decode.ts";
import { type AisMessage, aisPgns } from "../../core/nav/ais-messages.ts";
import { AisReporter } from "../../core/nav/ais-reporter.ts";
import type { Approach } from "../../core/nav/ais-targets.ts";
import type { NavigationData } from "../../core/nav/navigation-report.ts";
import { type OwnShip, ownShipOf } from "../../core/nav/own-ship.ts";
import type { Stream } from "../../core/ports/publisher.ts";
import { type Listener, listenersOf, type Report } from "./report.ts";

/** Called with each report: its data as JSON text, the monotonic time and the timestamp, both in milliseconds. */
export type OnAis = (data: () => string, now: number, wall: number) => void;

export class AisTopic implements Report {
  /** Listeners by PGN. */
  readonly listeners: ReadonlyMap<number, Listener>;
  readonly #reporter = new AisReporter();
  readonly #sources = new Set<number>();
  readonly #stream: Stream;
  readonly #navigation: () => NavigationData;
  readonly #onReport: OnAis;

  /** `navigation` gives the data of the last navigation report, for own ship. */
  constructor(stream: Stream, navigation: () => NavigationData, onReport: OnAis) {
    this.#stream = stream;
    this.#onReport = onReport;
    this.#navigation = navigation;
    this.listeners = listenersOf(exactDecodersOf<AisMessage>(aisPgns), {
      hear: (message, packet) => {
        this.#sources.add(packet.source);
        this.#reporter.hear(message, packet);
      },
      due: () => this.#reporter.due(),
    });
  }

  get due(): number {
    return this.#reporter.due();
  }

  /** The targets of the last report as they were seen from own ship. */
  get approaches(): readonly Readonly<Approach>[] {
    return this.#reporter.approaches;
  }

  /** Addresses that have sent AIS. */
  get sources(): ReadonlySet<number> {
    return this.#sources;
  }

  setOwnMmsi(mmsi: number | undefined): void {
    this.#reporter.setOwnMmsi(mmsi);
  }

  advance(now: number, wall: number): void {
    const own = (): OwnShip | undefined => ownShipOf(this.#navigation());
    if (!this.#reporter.advance(now, wall, own, this.#stream.open())) {
      this.#stream.discard();
      return;
    }
    this.#stream.commit();
    this.#onReport(() => this.#reporter.latest, now, wall);
  }
}
