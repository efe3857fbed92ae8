/**
 * The navigation report as a function of messages and time, from the best source of each quantity.
 *
 * Time is an argument of each call: monotonic for ages and limits, the wall clock only for timestamps. The same calls give the
 * same reports, byte for byte.
 */
import { metadataAt } from "../report/envelope.ts";
import { dayOf } from "../text/date.ts";
import { type Device, Devices } from "./devices.ts";
import { navigationDataOf } from "./groups.ts";
import type { MagneticModel } from "./heading.ts";
import type { NavigatorMessage } from "./messages.ts";
import { NAVIGATION_EXPIRES_AFTER_SECONDS, type NavigationReport } from "./navigation-report.ts";
import { Quantities } from "./quantities.ts";
import { defaultSettings, type NavigationSettings, type PriorityKey, priorityKeys, rankIn } from "./settings.ts";
import type { RankOf } from "./sources.ts";

export interface NavigatorOptions {
  /** The NAME of the device at an address, as far as it is known. */
  readonly nameOf?: (address: number) => bigint | undefined;
  /** The model of a device from its product information, as far as it is known. */
  readonly modelOf?: (name: bigint) => string | undefined;
  /** Called only when the settings ask for a model. */
  readonly magneticModel?: MagneticModel | undefined;
  /** Dates before this wall-clock time, milliseconds since 1970, are not believed; the bridge gives it on a live bus. */
  readonly notBefore?: number;
  readonly settings?: NavigationSettings;
}

/** As much of a packet as the navigator reads: `source` is the address, the times are milliseconds. */
export interface Packet {
  readonly source: number;
  /** Monotonic clock. */
  readonly arrived: number;
  /** Wall clock, since 1970. */
  readonly received: number;
}

const NO_DEVICE: Device = { name: undefined, digits: "0", order: 0 };

const MIN_INTERVAL_MS = 100;
const MAX_INTERVAL_MS = 1000;

/**
 * Hears the messages of `navigatorDefinitions` and makes reports.
 *
 * @example
 * const navigator = new Navigator();
 * navigator.hear({ pgn: 128267, depthM: 4.2 }, { source: 3, arrived: 0, received: Date.UTC(2026, 10, 21) });
 * navigator.report(100, Date.UTC(2026, 10, 21) + 100).data.depth_water?.depth; // 4.2
 */
export class Navigator {
  readonly #devices = new Devices();
  /** Origin of the message being heard, updated in place: an object for each message is 7 % of what a replay allocates. */
  readonly #origin = { device: NO_DEVICE, pgn: 0, variant: 0, arrived: 0, received: 0 };
  readonly #quantities: Quantities;
  readonly #nameOf: (address: number) => bigint | undefined;
  readonly #modelOf: (name: bigint) => string | undefined;
  readonly #magneticModel: MagneticModel | undefined;
  #settings: NavigationSettings;
  readonly #ranks: Record<PriorityKey, RankOf>;
  #lastReport = Number.NEGATIVE_INFINITY;
  #hasNews = false;

  constructor({
    nameOf = () => undefined,
    modelOf = () => undefined,
    magneticModel,
    notBefore = 0,
    settings = defaultSettings,
  }: NavigatorOptions = {}) {
    this.#nameOf = nameOf;
    this.#modelOf = modelOf;
    this.#magneticModel = magneticModel;
    this.#quantities = new Quantities(dayOf(notBefore));
    this.#settings = settings;
    const ranks = priorityKeys.map((key) => [key, this.#rankOf(key)] as const);
    this.#ranks = Object.fromEntries(ranks) as Record<PriorityKey, RankOf>;
  }

  /** Nothing of the packet is kept. */
  hear(message: NavigatorMessage, { source, arrived, received }: Packet): void {
    this.#hasNews = true;
    const origin = this.#origin;
    origin.device = this.#devices.at(source, this.#nameOf(source), arrived);
    origin.pgn = message.pgn;
    origin.arrived = arrived;
    origin.received = received;
    this.#quantities.hear(message, origin, this.#settings.windDamping);
  }

  /** Monotonic time at which the next report is due: 100 ms after the last when there is news, else a second after it. */
  due(): number {
    return this.#lastReport + (this.#hasNews ? MIN_INTERVAL_MS : MAX_INTERVAL_MS);
  }

  /** The report at `now`, with the timestamp `wall`. Its numbers are rounded when it is written. */
  report(now: number, wall: number): NavigationReport {
    this.#lastReport = now;
    this.#hasNews = false;
    const { variation, configLoaded } = this.#settings;
    return {
      data: navigationDataOf(this.#quantities.choose(now, this.#ranks), {
        now,
        wall,
        magneticModel: variation === "model" ? this.#magneticModel : undefined,
        friendlyNameOf: (device) => this.#friendlyNameOf(device),
      }),
      metadata: Object.assign(metadataAt(wall, NAVIGATION_EXPIRES_AFTER_SECONDS), { configLoaded }),
    };
  }

  /** Replaces the settings. Sources, their damping and the time for which they have been candidates stay. */
  configure(settings: NavigationSettings): void {
    const { priority } = this.#settings;
    this.#settings = settings;
    for (const key of priorityKeys) {
      const isChanged = JSON.stringify(settings.priority[key]) !== JSON.stringify(priority[key]);
      if (isChanged) this.#ranks[key] = this.#rankOf(key);
    }
  }

  #friendlyNameOf({ name, digits }: Device): string | undefined {
    return name === undefined ? undefined : (this.#settings.friendlyNames.get(digits) ?? this.#modelOf(name));
  }

  #rankOf(key: PriorityKey): RankOf {
    return rankIn(this.#settings.priority[key], (device) => this.#friendlyNameOf(device));
  }
}
