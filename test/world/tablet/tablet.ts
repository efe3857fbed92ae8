/** A tablet in a world: the display without its drawings, which is reloaded, loses its memory and its network. */
import { topics } from "../../../src/core/topics/topics.ts";
import type { Broker, BrokerClient } from "../broker.ts";
import { PREFIX } from "../hub-cand.ts";
import type { ProgramClock, VirtualClock } from "../virtual-clock.ts";
import { openPage } from "./browser.ts";
import type { ConnectToWorld, TabletPage, WorldConnection } from "./tablet-page.ts";

/** A page that is loaded takes the boat for left after that, by the wall clock, which may have been set. */
const LEFT_MS = 12 * 3_600_000;
/** The longest time between two reports of a hub-cand that is heard. */
const PAUSE_MS = 3000;
const NAVIGATION = topics.navigation.name({ prefix: PREFIX });

export interface TabletOptions {
  readonly name: string;
  readonly clock: VirtualClock;
  readonly broker: Broker;
  delayMs(): number;
}

export class Tablet {
  page!: TabletPage;
  clock!: ProgramClock;
  isConnected = false;
  /** Monotonic times of its last connection, of the end of one, and of the last sound. */
  connectedAt = 0;
  lostAt = 0;
  soundedAt = Number.NEGATIVE_INFINITY;
  /** Monotonic times of the last answer that the crew has given here, and of the last start of the page. */
  answeredAt = Number.NEGATIVE_INFINITY;
  openedAt = 0;
  /** Monotonic time of the last report of the boat that the page has heard as it was published: it knows the boat's clock. */
  heardAt = Number.NEGATIVE_INFINITY;
  /** When hub-cand has published that report. */
  reportedAt = Number.NEGATIVE_INFINITY;
  /** Monotonic time since which reports have come without a pause. */
  heardSince = Number.NEGATIVE_INFINITY;
  /** It has been in touch with the boat, perhaps before the page was loaded again. */
  knowsBoat = false;
  /** Milliseconds by which its wall clock is ahead. */
  aheadMs: number;
  readonly name: string;
  readonly #options: TabletOptions;
  readonly #storage = new Map<string, string>();
  /** Its wall clock at the last report, also before the page was loaded. */
  #wallHeard = 0;
  /** Whether it is in reach of the boat's network. */
  #isInReach = true;
  #lose = (): void => {};
  #close = (): void => {};

  constructor(options: TabletOptions, aheadMs: number) {
    this.name = options.name;
    this.aheadMs = aheadMs;
    this.#options = options;
    this.#open();
  }

  /** The page is loaded again; `forgets`: in another tablet. */
  reload({ forgets }: { readonly forgets: boolean }): void {
    this.close();
    if (forgets) this.#storage.clear();
    this.knowsBoat &&= !forgets && this.#wall - this.#wallHeard < LEFT_MS;
    this.#open();
  }

  close(): void {
    this.#close();
    this.clock.stop();
  }

  get #wall(): number {
    return this.#options.clock.wall + this.aheadMs;
  }

  get connectedFor(): number {
    return this.isConnected ? this.#options.clock.now - this.connectedAt : 0;
  }

  /** The crew answers all that rings here. */
  answer(answer: "acknowledge" | "silence"): void {
    this.answeredAt = this.#options.clock.now;
    this.page[answer]();
  }

  setInReach(isInReach: boolean): void {
    this.#isInReach = isInReach;
    if (!isInReach && this.isConnected) this.#lose();
  }

  #open(): void {
    const { clock } = this.#options;
    this.clock = clock.program();
    this.openedAt = clock.now;
    this.soundedAt = this.answeredAt = this.heardAt = Number.NEGATIVE_INFINITY;
    const onTone = (): void => {
      this.soundedAt = clock.now;
    };
    const connectToWorld: ConnectToWorld = (...told) => this.#connect(...told);
    const aheadMs = (): number => this.aheadMs;
    this.page = openPage({ clock: this.clock, aheadMs, storage: this.#storage, onTone, connectToWorld });
  }

  #connect(...[onMessage, onLost]: Parameters<ConnectToWorld>): WorldConnection | undefined {
    const { name, clock, broker, delayMs } = this.#options;
    const ended = (): void => {
      if (!this.isConnected) return;
      this.lostAt = clock.now;
      this.isConnected = false;
    };
    const lost = (): void => {
      ended();
      onLost();
    };
    const client: BrokerClient = {
      ...{ name, delayMs, lost },
      deliver: ({ topic, bytes, at }, isRetained) => {
        if (!isRetained && topic === NAVIGATION) {
          if (clock.now - this.heardAt > PAUSE_MS) this.heardSince = clock.now;
          this.heardAt = clock.now;
          this.reportedAt = at;
          this.#wallHeard = this.#wall;
        }
        onMessage(topic, bytes, isRetained);
      },
    };
    if (!this.#isInReach || !broker.connect(client)) return undefined;
    this.isConnected = true;
    this.connectedAt = clock.now;
    const close = (): void => {
      ended();
      broker.disconnect(client);
    };
    this.#close = close;
    this.#lose = () => {
      close();
      lost();
    };
    return {
      subscribe: (filters) => broker.subscribe(client, filters),
      unsubscribe: (filters) => broker.unsubscribe(client, filters),
      publish: (topic, payload) => broker.publish(topic, payload),
      ask: (onAnswer) => broker.ask(client, onAnswer),
      close,
    };
  }
}
